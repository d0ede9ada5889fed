import { getIn } from '../../kit/persistent-map.ts'
import { change, emit, type Call, type Draft } from './state.ts'

const refused = 'A person did not allow this.'
const unanswered = 'Not run: it was stopped before anyone answered.'

/** The error of a call that did not run, when the agent gives none. */
export const notAllowed = (call: Pick<Call, 'isUnanswered'> | undefined): string =>
  call?.isUnanswered === true ? unanswered : refused

/** Closes refused calls: some agents continue without another update about them. */
export function closeDenied(draft: Draft): void {
  const { denied, calls } = draft.state
  if (denied.length === 0) return
  change(draft, { denied: [] })
  const open = denied.filter(id => {
    const status = getIn(calls, id)?.status
    return status === 'waiting' || status === 'running'
  })
  emit(
    draft,
    open.map(call => ({ type: 'failure', call, error: notAllowed(getIn(calls, call)) })),
  )
}
