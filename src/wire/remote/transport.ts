import type { NotificationMessage, RequestMessage, ResponseMessage } from '../message.js';

export type Outgoing = RequestMessage | NotificationMessage | ResponseMessage;

/** One way to speak to a server over HTTP. */
export interface Transport {
  /** Takes one message of the client. Resolves when the next one may leave; never rejects. */
  send(message: Outgoing): Promise<void>;
  /** Tells the server that the session is over, as far as it can be told. */
  close(): Promise<void>;
}
