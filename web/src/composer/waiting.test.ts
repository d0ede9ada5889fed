import { describe, expect, it } from 'vitest'
import type { PromptPart } from 'dragoman'
import type { WaitingPrompt } from 'dragoman/client'
import { putBack, takesBack } from './put-back.ts'
import { waitingRows } from './waiting.ts'

const parts = [{ type: 'text', text: 'x' }] as const
const queued = (prompt: string, held = false) =>
  ({ prompt, parts, held, queued: { seq: 1, at: 1 } }) as unknown as WaitingPrompt

describe('queued prompts', () => {
  it('[W3] are listed in the order in which they run, held ones last', () => {
    const rows = waitingRows([queued('a', true), queued('b'), queued('c')])
    expect(rows.map(({ id, held }) => `${id} ${held}`)).toEqual(['b false', 'c false', 'a true'])
  })

  it('[W3] are put back into the composer of their session, if it is open', () => {
    const taken: (readonly PromptPart[])[] = []
    const stop = takesBack('s', each => taken.push(each))
    expect([putBack('s', parts), putBack('t', parts)]).toEqual([true, false])
    expect(taken).toEqual([parts])
    stop()
    expect(putBack('s', parts)).toBe(false)
  })
})
