/** What came of trying this computer's hardware encoders, for the setting that chooses one. Window only. */
import type { HardwareTrial } from '../../shared/api.ts';
import { settingRows } from '../../shared/api/settings.ts';
import { call } from '../frame/connection/call.ts';

export class HardwareState {
  /** Null: not known yet. */
  found = $state.raw<readonly HardwareTrial[] | null>(null);
  isTrying = $state(false);
  /** Why there is no answer; '' if there is. */
  problem = $state('');

  /** Asks what is known, which is tried first if need be. Never rejects. @param again Tries all of them again. */
  async load(again = false): Promise<void> {
    this.isTrying = true;
    try {
      this.found = await call(again ? settingRows.tryHardware : settingRows.hardware);
      this.problem = '';
    } catch (reason) {
      this.problem = reason instanceof Error ? reason.message : String(reason);
    }
    this.isTrying = false;
  }
}

/** Whether a family codes at least one of the codecs. */
export function works({ codecs }: HardwareTrial): boolean {
  return codecs.some(({ reason }) => reason === null);
}
