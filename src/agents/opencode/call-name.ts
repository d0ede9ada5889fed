import { callIn } from '../kit/parts/look.ts'
import { nativeSession, type State } from './state.ts'

/** The id of a call: the model's own, unless another thread has a call of that id. */
export function callName(state: State, sessionID: string, callID: string): string {
  const known = callIn(state.parts, callID)
  const isOthers = known !== undefined && known.thread !== nativeSession(state, sessionID).thread
  return isOthers ? `${sessionID}:${callID}` : callID
}
