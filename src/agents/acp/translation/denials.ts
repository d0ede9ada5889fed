import { getIn } from '../../kit/persistent-map.ts'
import { change, say, type Draft } from './state.ts'

/** What a call that a person refused says when the agent says nothing. */
export const refused = 'A person did not allow this.'

/** Closes calls that were refused: some agents go on without another word about them. */
export function closeDenied(draft: Draft): void {
  const { denied, calls } = draft.state
  change(draft, { denied: [] })
  const open = denied.filter(id => {
    const status = getIn(calls, id)?.status
    return status === 'waiting' || status === 'running'
  })
  say(
    draft,
    open.map(call => ({ type: 'failure', call, error: refused })),
  )
}
