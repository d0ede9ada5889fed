import type { SessionFacts } from 'dragoman/client'

type HandedOver = NonNullable<SessionFacts['handedOver']>

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

/** How an agent got to know the conversation, where that is not simply its own; else null. */
export function handoverWords(
  { how, transcript }: Pick<HandedOver, 'how' | 'transcript'>,
  agent: string,
): string | null {
  switch (how) {
    case 'resumed':
    case 'compiled':
      return null
    case 'forked':
      return `${agent} goes on with a copy of its own session; the first one stays as it was.`
    case 'transcript': {
      if (transcript === null) return `${agent} was told the conversation so far.`
      const { messages, omitted } = transcript
      const told = `${agent} was told the conversation so far: ${count(messages, 'message')}.`
      return omitted === 0 ? told : `${told} The oldest ${count(omitted, 'message')} had no room.`
    }
  }
}
