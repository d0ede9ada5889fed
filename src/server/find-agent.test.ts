import { expect, it, vi } from 'vitest'
import type { Agent } from '../agents/agent.ts'
import { scripted } from '../agents/scripted/index.ts'
import { createFindAgent } from './find-agent.ts'

it('[A12] starts a program once for several checks shortly after each other', async () => {
  let now = 0
  const find = vi.fn<Agent['find']>(() => Promise.resolve({ status: 'ready', version: '1', advice: null }))
  const agent = { ...scripted, find } as unknown as Agent
  const findAgent = createFindAgent(() => now, 5000)
  await Promise.all([findAgent(agent), findAgent(agent)])
  now = 4999
  expect(await findAgent(agent)).toMatchObject({ status: 'ready' })
  expect(find).toHaveBeenCalledTimes(1)
  now = 5000
  await findAgent(agent)
  expect(find).toHaveBeenCalledTimes(2)
  await Promise.all([findAgent(agent, { command: 'x' }), findAgent(agent, { command: 'y' })])
  expect(find.mock.calls.slice(2)).toEqual([[{ command: 'x' }], [{ command: 'y' }]])
})
