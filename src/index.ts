/** What another program may use of this one: the proxy's parts, and the config that they are made from. */
export { type App, type AppOptions, createApp } from './app.js';
export type { Config } from './config/config.js';
export { loadConfig } from './config/load.js';
export type { Surroundings } from './config/paths.js';
export { ERROR_CODES, type ErrorCode, ProxyError } from './domain/errors.js';
export type { Logger } from './domain/ports.js';
export type { Receipt } from './domain/receipt.js';
