/**
 * Memory of pixels. Those read from a canvas stay until JavaScript's engine happens to collect, which it does after
 * every 64 MB of them, going through all it has for eight frames: a fifth of a render's computing. So they are let go
 * by hand.
 */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** `ArrayBuffer.prototype.transfer`, which leaves its buffer empty. */
type Transfer = (this: ArrayBufferLike, length: number) => ArrayBuffer;

const transfer: Transfer = transferOf(ArrayBuffer.prototype) ?? hiddenTransfer();

function transferOf(prototype: ArrayBuffer): Transfer | undefined {
  return (prototype as { transfer?: Transfer }).transfer;
}

/** Before Node 22 a flag brings it. */
function hiddenTransfer(): Transfer {
  setFlagsFromString('--harmony-rab-gsab-transfer');
  // Only contexts created from now on have it.
  const found = transferOf(runInNewContext('ArrayBuffer.prototype') as ArrayBuffer);
  // In an engine without it they wait for the collector.
  return found ?? (() => new ArrayBuffer(0));
}

/**
 * Gives the memory of read pixels back. They are empty from now on, also for the library: never draw with them again.
 */
export function letGo({ buffer, byteLength }: Uint8Array | Uint8ClampedArray): void {
  // Never what is shared with others.
  if (byteLength === buffer.byteLength) transfer.call(buffer, 0);
}

let collect: (() => void) | undefined;

/** Frees unreferenced pixels. Takes about 10 ms. */
export async function freeReadPixels(): Promise<void> {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    // Only contexts created from now on have it.
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  await setImmediate();
}
