import { expect, it } from 'vitest'
import type { Agent, ConnectOptions } from './agent.ts'
import { loaded, loadWhenUsed } from './load-when-used.ts'
import { about } from './scripted/about.ts'

/** An agent that notes which of its functions were called. */
function noting(calls: string[], check?: NonNullable<Agent['check']>): Agent {
  return {
    ...about,
    find: async () =>
      (calls.push('find'), { version: '1.0.0', path: '/bin/it', readiness: 'ready' }) as never,
    connect: async () => (calls.push('connect'), {}) as never,
    initial: () => (calls.push('initial'), null),
    translate: state => [state, []],
    ...(check !== undefined && { check }),
  }
}

const options = {} as ConnectOptions

it('[A1] the facts of an agent are known before its code is loaded', () => {
  const agent = loadWhenUsed(about, () => expect.fail('it was loaded'))
  expect(agent).toMatchObject({ name: about.name, title: about.title, capabilities: about.capabilities })
})

it('[A1] the code of an agent is loaded once, by the first call that needs it', async () => {
  const calls: string[] = []
  let loads = 0
  const agent = loadWhenUsed(about, async () => {
    loads += 1
    return noting(calls)
  })
  await Promise.all([agent.find(), agent.connect(options), loaded(agent)])
  expect(loads).toBe(1)
  expect(calls.toSorted()).toEqual(['connect', 'find'])
})

it('[A1] a check is passed on, and an agent without one passes', async () => {
  const refuse = () => Promise.reject(new Error('Sign in first.'))
  await expect(loadWhenUsed(about, async () => noting([], refuse)).check?.(options)).rejects.toThrow(
    'Sign in first.',
  )
  await expect(loadWhenUsed(about, async () => noting([])).check?.(options)).resolves.toBeUndefined()
})

it('[A1] an agent that was not loaded refuses to translate, with its name; the loaded one translates', async () => {
  const agent = loadWhenUsed(about, async () => noting([]))
  for (const call of [() => agent.initial('c' as never), () => agent.translate(null, {} as never)])
    expect(call).toThrow(`The agent "${about.name}" must be loaded before it can translate.`)
  const whole = await loaded(agent)
  expect(whole.initial('c' as never)).toBeNull()
  expect(await loaded(whole)).toBe(whole)
})
