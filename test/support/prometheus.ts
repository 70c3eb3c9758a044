/** One line of the text format: a name, its labels and a value. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads the text format of Prometheus strictly: throws at the first line that is neither comment nor sample, and at a sample that stands twice. */
export function parseMetrics(text: string): readonly Sample[] {
  const seen = new Set<string>();
  return text.split('\n').flatMap((line) => {
    if (line === '' || /^# (?:HELP|TYPE|UNIT) /.test(line)) return [];
    const [, name, given = '', value] =
      /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || Number.isNaN(Number(value))) throw new Error(`no sample: ${line}`);
    const key = `${name}{${given}}`;
    if (seen.has(key)) throw new Error(`twice: ${key}`);
    seen.add(key);
    const labels = [...given.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text = '']) => [
      label,
      text,
    ]);
    return [{ name, labels: Object.fromEntries(labels) as Record<string, string>, value: Number(value) }];
  });
}

/** The sum of the samples of that name which have at least these labels. */
export function total(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
