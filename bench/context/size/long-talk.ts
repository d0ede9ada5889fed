import { createHistory, type HistoryDraft } from '../../../src/context/index.ts'
import type { Target } from '../../../src/context/target.ts'

/** A conversation of a coding agent that grows by a call and its result at a time. */
export interface LongTalk {
  readonly draft: HistoryDraft
  /** One more request: text and call of the model, and the result of the tool. Two messages. */
  grow(): void
  target(): Target
}

const files = 200
const perInteraction = 50

/** Begins with as many messages as are wanted. */
export function createLongTalk(messages: number): LongTalk {
  const draft = createHistory({ session: 's', agent: 'claude-code', cwd: '/w' })
  let step = 0
  const grow = () => {
    step++
    const place = { interaction: `i${Math.floor(step / perInteraction)}`, at: step * 10_000 }
    const path = `/w/src/file-${step % files}.ts`
    const call = `call-${step}`
    draft.add(
      {
        id: `a${step}`,
        role: 'assistant',
        parts: [
          { kind: 'text', id: `a${step}.0`, text: `Step ${step}: I look at ${path}.` },
          { kind: 'call', id: `a${step}.1`, call, tool: 'Read', input: { file_path: path } },
        ],
      },
      { ...place, step },
    )
    const content = [{ kind: 'text', id: `r${step}.text`, text: linesOf(step, path) }] as const
    draft.add(
      {
        id: `r${step}`,
        role: 'tool',
        parts: [{ kind: 'result', id: `r${step}.0`, call, tool: 'Read', isError: false, content }],
      },
      { ...place, step: step + 1 },
    )
  }
  for (let made = 0; made < messages; made += 2) grow()
  return {
    draft,
    grow,
    target: () => ({
      step: step + 1,
      at: step * 10_000,
      window: 200_000,
      fixedTokens: 40_000,
      thinking: 'dropped',
      boundary: false,
    }),
  }
}

/** A dozen numbered lines, of which some were read before. */
const linesOf = (step: number, path: string): string =>
  Array.from({ length: 12 }, (_, line) => `${line + 1}→line ${line} of ${path}, as of ${step % 977}`).join(
    '\n',
  )
