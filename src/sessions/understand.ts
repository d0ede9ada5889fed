import type { Words } from './attribute.ts'
import type { Heard } from './inbox.ts'
import { interpret, type Interpreter } from './interpret.ts'

/** What was heard, with the meaning of each line. */
export type Understood = Exclude<Heard, { readonly type: 'said' }> | ({ readonly type: 'said' } & Words)

/** Translates what was heard, in order. Pure. */
export function understand(
  before: Interpreter,
  heard: readonly Heard[],
): readonly [next: Interpreter, understood: readonly Understood[]] {
  let interpreter = before
  const understood = heard.map((item): Understood => {
    if (item.type !== 'said') return item
    const { type, from, raw } = item
    const [next, chunks] = interpret(interpreter, from, raw)
    interpreter = next
    return { type, from, raw, chunks }
  })
  return [interpreter, understood]
}
