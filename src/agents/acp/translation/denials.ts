import { getIn } from '../../kit/persistent-map.ts'
import { change, say, type Call, type Draft } from './state.ts'

const refused = 'A person did not allow this.'
const unanswered = 'Not run: it was stopped before anyone answered.'

/** What a call that did not run says when the agent says nothing. */
export const notAllowed = (call: Pick<Call, 'isUnanswered'> | undefined): string =>
  call?.isUnanswered === true ? unanswered : refused

/** Closes calls that were refused: some agents go on without another word about them. */
export function closeDenied(draft: Draft): void {
  const { denied, calls } = draft.state
  if (denied.length === 0) return
  change(draft, { denied: [] })
  const open = denied.filter(id => {
    const status = getIn(calls, id)?.status
    return status === 'waiting' || status === 'running'
  })
  say(
    draft,
    open.map(call => ({ type: 'failure', call, error: notAllowed(getIn(calls, call)) })),
  )
}
