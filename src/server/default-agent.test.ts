import { expect, it } from 'vitest'
import type { Agent, Readiness } from '../agents/agent.ts'
import { scripted } from '../agents/scripted/index.ts'
import { findDefaultAgent } from './default-agent.ts'
import { openDragoman } from './dragoman.fixture.ts'

const place = { cwd: '/', dataFolder: '/nowhere' }

function agent(name: string, status: Readiness['status'], more: Partial<Agent> = {}): Agent {
  return { name, find: async () => ({ status, version: null, advice: null }), ...more } as Agent
}

const chosen = (...agents: readonly Agent[]) => findDefaultAgent(agents, each => each.find(), place)

const demo = agent('demo', 'ready', { isDemo: true })

it('[A17] the default agent is the first that is ready; a demo agent only without any other', async () => {
  expect(await chosen(demo, agent('a', 'needs-login'), agent('b', 'ready'), agent('c', 'ready'))).toBe('b')
  expect(await chosen(demo, agent('a', 'missing'), agent('b', 'broken'))).toBe('demo')
  expect(await chosen(agent('a', 'missing'))).toBe('a')
  await expect(chosen()).rejects.toThrow('There are no agents.')
})

it('[A17] an agent that cannot start without options is not the default', async () => {
  const demanding = agent('demanding', 'ready', {
    check: async ({ options }) => {
      if (options === null) throw new Error('No model chosen.')
    },
  })
  expect(await chosen(demanding, demo)).toBe('demo')
  expect(await chosen(demanding, agent('plain', 'ready'), demo)).toBe('plain')
})

it('[A17] looks for no agent after the first that is ready', async () => {
  const late = agent('late', 'ready', { find: () => Promise.reject(new Error('too late')) })
  expect(await chosen(agent('a', 'ready'), late)).toBe('a')
})

it('[A17] a server lists and uses the best agent, unless another was set', async () => {
  const { isDemo: _, ...real } = { ...scripted, name: 'real' }
  const defaultsOf = async (more: { readonly defaultAgent?: string }) => {
    await using server = await openDragoman({ agents: [scripted, real], ...more })
    const { json } = await server.call('listAgents', {})
    const made = await server.call('createSession', { body: {} })
    return [json.agents.filter(each => each.default).map(({ name }) => name), made.json.agent]
  }
  expect(await defaultsOf({})).toEqual([['real'], 'real'])
  expect(await defaultsOf({ defaultAgent: 'scripted' })).toEqual([['scripted'], 'scripted'])
})
