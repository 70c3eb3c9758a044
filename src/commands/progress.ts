/** A line on a terminal that is written over as work goes on; nothing where there is no terminal. */
export interface Progress {
  add(bytes: number): void;
  next(): void;
  /** Takes the line away, so that something else can be written. */
  clear(): void;
}

/** Counts files and bytes towards a known total. */
export function progressOn(
  stream: { readonly isTTY?: boolean | undefined; write(text: string): unknown },
  total: { readonly files: number; readonly bytes: number },
  now: () => number = Date.now,
): Progress {
  let [files, bytes, shown] = [0, 0, 0];
  const show = (always: boolean): void => {
    if (stream.isTTY !== true || (!always && now() - shown < 100)) return;
    shown = now();
    const part = total.bytes === 0 ? 1 : Math.min(1, bytes / total.bytes);
    const bar = '#'.repeat(Math.round(part * 20)).padEnd(20, '.');
    stream.write(`\r\u001b[K[${bar}] ${Math.floor(part * 100)}%  ${files}/${total.files} files  ${sizeText(bytes)}`);
  };
  return {
    add: (more) => {
      bytes += more;
      show(false);
    },
    next: () => {
      files += 1;
      show(files === total.files);
    },
    clear: () => {
      if (stream.isTTY === true && shown > 0) stream.write('\r\u001b[K');
    },
  };
}

/** Bytes for a human. */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  const step = Math.min(4, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1_024 ** step).toFixed(1)} ${['KiB', 'MiB', 'GiB', 'TiB'][step - 1]}`;
}
