// What starts a part that the parser reads again for each part around it; `${x}` alone is read once.
const PARTS = /`|[$<>=@!?*+](?=\()|\$\{(?![A-Za-z0-9_]+\})|\bfor\b/g;
const MOST = 250_000;

/** Why a text would take long to judge: its nested parts times its length. Undefined where it is quick. */
export function laborious(source: string): string | undefined {
  if (source.length < 500) return undefined;
  const parts = source.match(PARTS)?.length ?? 0;
  return parts * source.length > MOST
    ? `holds ${parts} substitutions and loops in ${source.length} characters`
    : undefined;
}
