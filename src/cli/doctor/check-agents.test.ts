import { describe, expect, it } from 'vitest'
import { checkAgents, findAgents, type FoundAgent } from './check-agents.ts'

const found = (more: Partial<FoundAgent>): FoundAgent => ({
  name: 'one',
  title: 'One',
  status: 'ready',
  version: '1.2.3',
  tested: '1.2.0 up to but not including 1.3.0',
  age: 'tested',
  advice: null,
  ...more,
})

describe('what doctor says of agents', () => {
  it('[A12] one that was tried is fine, with its version and those that were tried', () => {
    expect(checkAgents([found({})])).toEqual([
      {
        name: 'agent one',
        status: 'ok',
        detail: 'One, version 1.2.3, tested with 1.2.0 up to but not including 1.3.0, ready',
      },
    ])
  })

  it('[A12] too old, too new, without a login and missing are warnings, with what to do', () => {
    for (const age of ['older', 'newer'] as const)
      expect(checkAgents([found({ age, advice: 'Do it.' })])).toMatchObject([
        { status: 'warn', advice: 'Do it.' },
      ])
    const lacking = [
      found({ status: 'needs-login' }),
      found({ status: 'missing', version: null, tested: null }),
    ]
    expect(checkAgents([found({}), ...lacking]).map(({ status }) => status)).toEqual(['ok', 'warn', 'warn'])
    const details = (['key', undefined] as const).map(lacks =>
      found({ status: 'needs-login', version: null, tested: null, ...(lacks && { lacks }) }),
    )
    expect(
      checkAgents(details)
        .slice(0, 2)
        .map(({ detail }) => detail),
    ).toEqual(['One, needs a key', 'One, needs a login'])
    expect(checkAgents(lacking).at(-1)).toMatchObject({ name: 'agents', status: 'fail' })
  })

  it('[A12] one that is there and cannot be run is not called missing; a version may be unknown', () => {
    const broken = found({ status: 'broken', version: null, tested: null, age: null, advice: 'Mend it.' })
    expect(checkAgents([broken])[0]).toEqual({
      name: 'agent one',
      status: 'warn',
      detail: 'One, found, but cannot be run',
      advice: 'Mend it.',
    })
    expect(checkAgents([found({ version: null, age: null })])[0]).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^One, version unknown, tested with .*, ready$/) as string,
    })
  })

  it('[A12] what an agent does not know of itself is told as not known', async () => {
    const agent = {
      name: 'a',
      title: 'A',
      find: async () => ({ status: 'ready', version: null, advice: null }) as const,
    }
    const [told] = await findAgents([agent as never])
    expect(told).toEqual({
      name: 'a',
      title: 'A',
      status: 'ready',
      version: null,
      tested: null,
      age: null,
      advice: null,
    })
  })
})
