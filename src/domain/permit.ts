import type { ToolCall } from './call.js';
import type { Receipt } from './receipt.js';

/** Why a call may go downstream: it only reads; its checkpoints are listed; or a rule or a human let it through without one. */
export type Grounds =
  | { readonly kind: 'read_only' }
  | { readonly kind: 'pinned'; readonly receipt: Receipt }
  | { readonly kind: 'waived'; readonly receipt: Receipt };

/** Leave for one call to go downstream, once. Minted only through the key that guard.ts holds. */
export class Permit {
  readonly grounds: Grounds;
  #call: ToolCall | undefined;

  private constructor(call: ToolCall, grounds: Grounds) {
    this.#call = call;
    this.grounds = grounds;
  }

  /** Throws unless this permit was minted for exactly this call and was not used yet; also for an object that only looks like a permit. */
  take(call: ToolCall): void {
    const granted = this.#call;
    this.#call = undefined;
    if (granted !== call) throw new Error('no permit for this call');
  }

  /** The same for whatever claims to be a permit: an object with a `take` of its own does not pass. */
  static take(permit: Permit, call: ToolCall): void {
    if (!(#call in permit)) throw new Error('no permit for this call');
    Permit.prototype.take.call(permit, call);
  }

  static #handedOut = false;

  /** The one key to mint with; a second caller gets an error at start-up. */
  static key(): (call: ToolCall, grounds: Grounds) => Permit {
    if (Permit.#handedOut) throw new Error('the permit key was handed out already');
    Permit.#handedOut = true;
    return (call, grounds) => new Permit(call, grounds);
  }
}
