import type { Words } from './attribute.ts'
import type { Heard } from './inbox.ts'
import { interpret, type Interpreter } from './interpret.ts'

/** What was heard, with the meaning of each line. */
export type Understood =
  | Exclude<Heard, { readonly type: 'said' }>
  | ({ readonly type: 'said'; readonly saved?: () => void } & Words)

/** Understands a connection as it is heard: each line is translated at once, in the light of those before it. */
export function createUnderstanding(first: Interpreter): (heard: Heard) => Understood {
  let interpreter = first
  return heard => {
    if (heard.type !== 'said') return heard
    const { type, from, raw, saved } = heard
    const [next, chunks] = interpret(interpreter, from, raw)
    interpreter = next
    return { type, from, raw, chunks, ...(saved !== undefined && { saved }) }
  }
}
