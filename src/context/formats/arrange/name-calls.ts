import type { CallPart, Conversation } from '../conversation.ts'

/** Names for the calls whose own the provider would refuse, or that another call has already. */
export function nameCalls({ messages }: Conversation, legal: RegExp): ReadonlyMap<CallPart, string> {
  const used = new Set<string>()
  const renamed = new Map<CallPart, string>()
  for (const { parts } of messages)
    for (const part of parts)
      if (part.kind === 'call') {
        const name = freeName(part.call, legal, used)
        used.add(name)
        if (name !== part.call) renamed.set(part, name)
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
