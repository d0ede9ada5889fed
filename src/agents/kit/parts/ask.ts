import type { Thread } from '../../../protocol/chunk.ts'
import type { Json } from '../../../protocol/json.ts'
import { isSameInput } from '../../../protocol/rule-scope.ts'
import { getIn, setIn } from '../persistent-map.ts'
import { giveInput, isInHand, reach } from './calls.ts'
import { deliver } from './messages.ts'
import type { Op } from './op.ts'
import { callOf, threadOf, type Call, type CallFacts, type Draft } from './state.ts'

type Ask = Extract<Op, { readonly type: 'ask' }>

/** Asks whether a call may run, once for each approval. */
export function askFor(draft: Draft, thread: Thread, op: Ask): void {
  const { call: id, approval } = op
  reach(draft, thread, id, known => {
    if (getIn(draft.parts.approvals, approval) !== undefined) return
    const isOpen = known.state === 'ready'
    // A call that has ended cannot need approval, but the input in the request itself can be shown.
    if (!isOpen && (op.about === undefined || op.input === undefined)) return
    const stands = isOpen && isAsAsked(known, op) && !isPast(draft, known)
    const asked = stands ? id : restate(draft, thread, op, known)
    const call = callOf(draft, asked) ?? known
    draft.parts = { ...draft.parts, approvals: setIn(draft.parts.approvals, approval, asked) }
    const chunk = { type: 'tool-approval-request', approvalId: approval, toolCallId: asked } as const
    deliver(draft, call.thread, call.message, chunk, null)
  })
}

/** Whether a call was reported with everything that the approval shows: its tool, its input, and what rules compare. */
function isAsAsked(call: Call, { input = call.input, about }: Ask): boolean {
  if (!isSameInput(call.input, input)) return false
  return (
    about === undefined ||
    (about.tool === call.tool && isSameInput(comparedIn(about), comparedIn(call.facts)))
  )
}

const comparedIn = ({ providerMetadata }: CallFacts): Json => providerMetadata?.['dragoman'] ?? {}

/** Whether an approval at the call's own message would wait for the end of the open message, which waits for the approval. */
function isPast(draft: Draft, call: Call): boolean {
  const { message } = threadOf(draft, call.thread)
  return message !== null && message.id !== call.message
}

/** Shows the input that needs approval, in a separate call if another input was reported before. Returns the call that has it. */
function restate(draft: Draft, thread: Thread, op: Ask, call: Call): string {
  const { call: id, approval, input = call.input, about } = op
  // A call of an earlier step, or a finished one, cannot be replaced, so the approval gets a separate call.
  const isOpen = call.state === 'ready'
  const isHere = isOpen && isInHand(draft, call.thread, call)
  const asked = isHere ? id : `${id}.${approval}`
  const { providerMetadata } = about ?? call.facts
  const earlier = !isOpen || isSameInput(call.input, input) ? {} : { earlierInput: call.input }
  const dragoman = { ...providerMetadata?.['dragoman'], ...earlier }
  giveInput(draft, isHere ? call.thread : thread, asked, about?.tool ?? call.tool, input, {
    ...call.facts,
    providerMetadata: { ...providerMetadata, dragoman },
  })
  return asked
}
