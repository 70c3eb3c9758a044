/**
 * The requirement ids of the product contract. `claimed`: the README may promise it, and at least one test says
 * `verifies('<id>')`; the coverage gate fails otherwise. `partly`: tests exist, and docs/status.md says what is missing.
 */
export const REQUIREMENTS = {
  'T-1': 'claimed',
  'T-2': 'claimed',
  'T-3': 'claimed',
  'T-4': 'claimed',
  'T-5': 'claimed',
  'T-6': 'claimed',
  'T-7': 'claimed',
  'T-8': 'claimed',
  'T-9': 'claimed',
  'C-1': 'claimed',
  'C-2': 'claimed',
  'C-3': 'claimed',
  'C-4': 'claimed',
  'C-5': 'claimed',
  'C-6': 'claimed',
  'C-7': 'claimed',
  'C-8': 'claimed',
  'R-1': 'claimed',
  'R-2': 'claimed',
  'R-3': 'claimed',
  'R-4': 'claimed',
  'G-1': 'claimed',
  'G-2': 'claimed',
  'G-3': 'claimed',
  'G-4': 'claimed',
  'G-5': 'claimed',
  'G-6': 'claimed',
  'G-7': 'claimed',
  'G-8': 'claimed',
  'G-9': 'claimed',
  'P-1': 'claimed',
  'P-2': 'claimed',
  'P-3': 'claimed',
  'P-4': 'claimed',
  'N-1': 'claimed',
  'N-2': 'claimed',
  'N-3': 'claimed',
  'N-4': 'claimed',
  'N-5': 'claimed',
  'N-6': 'claimed',
  'A-1': 'claimed',
  'A-2': 'claimed',
  'A-3': 'claimed',
  'A-4': 'claimed',
  'A-5': 'claimed',
  'F-1': 'partly',
  'F-2': 'partly',
  'F-3': 'planned',
  'F-4': 'claimed',
} as const satisfies Record<string, 'claimed' | 'partly' | 'planned'>;

export type RequirementId = keyof typeof REQUIREMENTS;

/** Opens a test's title: `test(`${verifies('G-1')} a call without …`)`. */
export function verifies(...ids: RequirementId[]): string {
  return `[${ids.join(' ')}]`;
}
