const LF = 0x0a;

/**
 * Splits a byte stream into lines. A line comes without its LF; a CR before it stays, since lines are forwarded as they are.
 * No size limit: the chunks of an unfinished line are kept as they came and joined once.
 */
export class LineSplitter {
  #parts: Buffer[] = [];

  /** The lines that `chunk` completes, in order; each is a view into the chunk unless it began in an earlier one. */
  push(chunk: Uint8Array): Buffer[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      lines.push(this.#join(bytes.subarray(start, end)));
      start = end + 1;
    }
    if (start < bytes.length) this.#parts.push(bytes.subarray(start));
    return lines;
  }

  /** The rest without a line end when the stream is over, or undefined where nothing is left. */
  end(): Buffer | undefined {
    return this.#parts.length === 0 ? undefined : this.#join(Buffer.alloc(0));
  }

  #join(last: Buffer): Buffer {
    if (this.#parts.length === 0) return last;
    this.#parts.push(last);
    const line = Buffer.concat(this.#parts);
    this.#parts = [];
    return line;
  }
}
