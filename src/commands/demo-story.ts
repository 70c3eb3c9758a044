/** Tells a human what happens, each line with the seconds since the start. */
export interface Story {
  step(title: string): void;
  say(line: string, block?: string): void;
  timed<T>(what: string, run: () => Promise<T>): Promise<T>;
  /** One line of the proxy's own log: the steps of a pin become lines of the story. */
  proxyLog(line: string): void;
  end(line: string): void;
}

const TOLD: ReadonlySet<string> = new Set([
  'newest checkpoint read',
  'inserting the tag',
  'tag listed',
  'call forwarded',
  'the appliance is SIMULATED: it protects no real VM',
]);

export function createStory(out: { write(text: string): unknown }): Story {
  const began = performance.now();
  let steps = 0;
  const line = (text: string): void => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(5);
    out.write(`${seconds} s  ${text}\n`);
  };
  const block = (text: string): void => {
    for (const each of text.trimEnd().split('\n')) out.write(`         | ${each}\n`);
  };
  return {
    step: (title) => {
      steps += 1;
      out.write(`\n${steps}. ${title}\n`);
    },
    say: (text, more) => {
      line(text);
      if (more !== undefined) block(more);
    },
    timed: async (what, run) => {
      line(`→ ${what}`);
      const from = performance.now();
      const result = await run();
      line(`← answered after ${Math.round(performance.now() - from)} ms`);
      return result;
    },
    proxyLog: (text) => {
      const entry = parse(text);
      if (!TOLD.has(entry.msg)) return;
      const point = entry.checkpoint ?? {};
      const detail = [
        entry.vpg === undefined ? '' : `VPG ${entry.vpg}`,
        point.checkpointIdentifier === undefined
          ? ''
          : `checkpoint ${point.checkpointIdentifier} of ${point.timestamp}`,
        entry.tag ?? point.tag ?? '',
      ].filter((part) => part !== '');
      line(`   proxy: ${entry.msg}${detail.length > 0 ? ` (${detail.join(', ')})` : ''}`);
    },
    end: (text) => {
      out.write('\n');
      line(text);
    },
  };
}

interface LogLine {
  readonly msg: string;
  readonly vpg?: string;
  readonly tag?: string;
  readonly checkpoint?: { readonly checkpointIdentifier?: string; readonly timestamp?: string; readonly tag?: string };
}

function parse(text: string): LogLine {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return { msg: '' };
  }
}
