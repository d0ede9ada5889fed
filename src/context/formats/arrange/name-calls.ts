import type { Target } from '../codec.ts'
import type { CallPart, Conversation, Message } from '../conversation.ts'
import { isInPlace } from './cut.ts'
import type { Pairs } from './pair.ts'

/** Names for the calls whose own the provider would refuse, or that another call has already. */
export function nameCalls(
  { messages }: Conversation,
  pairs: Pairs,
  target: Target,
): ReadonlyMap<CallPart, string> {
  const used = new Set<string>()
  const renamed = new Map<CallPart, string>()
  for (const message of messages) {
    if (isApart(message, target)) used.clear()
    for (const part of message.parts)
      if (part.kind === 'call') {
        const name = freeName(part.call, target.rules.callId, used)
        used.add(name)
        if (name !== part.call) renamed.set(part, name)
      }
    if (target.rules.callIds === 'step')
      for (const name of answered(message, pairs, renamed)) used.delete(name)
  }
  return renamed
}

/** Whether a message stays separate, so that its calls are not mistaken for earlier ones. */
const isApart = ({ parts, native }: Message, { rules, format }: Target) =>
  rules.callIds === 'message' && native?.format === format && parts.some(({ kind }) => kind === 'call')

/** The names of the calls that a message answers: what comes after it is another step. */
const answered = ({ parts }: Message, { callOf }: Pairs, renamed: ReadonlyMap<CallPart, string>) =>
  parts.flatMap(part => {
    const call = part.kind === 'result' ? callOf.get(part) : undefined
    return call === undefined ? [] : [renamed.get(call) ?? call.call]
  })

/** Names for the tools whose own the provider would refuse; what it ran itself it knows by its name. */
export function nameTools({ messages }: Conversation, target: Target): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>()
  if (target.rules.toolName === undefined) return renamed
  const { legal, longest } = target.rules.toolName
  const tools = new Set(
    messages.flatMap(({ parts }) =>
      parts.flatMap(part => (part.kind === 'call' && !isInPlace(part, target) ? [part.tool] : [])),
    ),
  )
  const used = new Set([...tools].filter(tool => legal.test(tool)))
  for (const tool of tools) {
    if (legal.test(tool)) continue
    const base = tool.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, longest - 4) || 'tool'
    let name = base
    for (let number = 2; used.has(name); number++) name = `${base}_${number}`
    used.add(name)
    renamed.set(tool, name)
  }
  return renamed
}

function freeName(wanted: string, legal: RegExp, used: ReadonlySet<string>): string {
  if (legal.test(wanted) && !used.has(wanted)) return wanted
  const base = wanted.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 30) || 'call'
  for (let number = 1; ; number++) {
    const name = legal.test(base) && number === 1 ? base : `${base}_${number}`
    if (!used.has(name)) return name
  }
}
