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
  options: null,
  ...more,
})

describe('the agent checks of doctor', () => {
  it('[A12] a tested version is ok, and is shown with the tested versions', () => {
    expect(checkAgents([found({})])).toEqual([
      {
        name: 'agent one',
        status: 'ok',
        detail: 'One, version 1.2.3, tested with 1.2.0 up to but not including 1.3.0, ready',
      },
    ])
  })

  it('[A12] an old, new or missing agent, or one without a login, gives a warning with advice', () => {
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

  it('[A12] an agent that cannot run is not reported as missing; its version may be unknown', () => {
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

  it('[A12] an unknown fact is reported as unknown', async () => {
    const agent = {
      name: 'a',
      title: 'A',
      find: async () => ({ status: 'ready', version: null, advice: null }) as const,
    }
    const [first] = await findAgents([agent as never])
    expect(first).toEqual({
      name: 'a',
      title: 'A',
      status: 'ready',
      version: null,
      tested: null,
      age: null,
      options: null,
      advice: null,
    })
  })
})
