// mcp-proxy from stdio to a server behind HTTP: its library does that, its program does not. mcp-proxy-stdio.mjs URL
import { ServerType, startStdioServer } from 'mcp-proxy';

await startStdioServer({ serverType: ServerType.HTTPStream, url: process.argv[2] });
process.stdin.on('end', () => process.exit(0));
