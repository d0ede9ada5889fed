import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

let server: Opened
beforeAll(async () => {
  server = await openDragoman()
  for (const session of [await server.session(), await server.session()])
    await server.run(session, 'use tools')
})
afterAll(() => server[Symbol.asyncDispose]())

describe('usage', () => {
  it('[W6] is reported across sessions, in groups and in total', async () => {
    const { json, status } = await server.call('getUsage', {
      query: { by: 'agent,day', zone: 'Europe/Berlin', demo: '1' },
    })
    expect(status).toBe(200)
    expect(json.rows).toMatchObject([{ agent: 'scripted', interactions: 2, calls: 6 }])
    expect(json.rows[0]?.day).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(json.total).toMatchObject({
      sessions: 2,
      interactions: 2,
      calls: 6,
      failures: { interactions: 0 },
    })
    expect(json.unknown).toMatchObject({ waiting: 0 })
    const listed = (await server.call('listSessions', {})).json.sessions
    const input = listed.reduce((sum, { tokens }) => sum + tokens.input, 0)
    const cost = listed.reduce((sum, each) => sum + (each.cost ?? 0), 0)
    expect(json.total.tokens?.input).toBe(input)
    expect(json.total.cost ?? 0).toBeCloseTo(cost)
    const tools = (await server.call('getUsage', { query: { by: 'tool', demo: '1' } })).json.rows
    expect(tools.reduce((sum, { calls }) => sum + (calls ?? 0), 0)).toBe(6)
  })

  it('[W6] does not include demo sessions by default', async () => {
    const { json } = await server.call('getUsage', { query: { by: 'agent' } })
    expect(json).toMatchObject({
      rows: [],
      total: { sessions: 0, interactions: 0, calls: 0, time: 0, cost: null, tokens: { input: 0, output: 0 } },
      unknown: { sessions: 0, messages: 0 },
    })
    expect((await server.call('getUsage', { query: { by: 'agent', demo: '1' } })).json.total.sessions).toBe(2)
  })

  it('[W6] can be limited to days or times', async () => {
    const day = new Date().toISOString().slice(0, 10)
    const asked = async (query: Readonly<Record<string, string>>) =>
      (await server.call('getUsage', { query: { ...query, demo: '1' } })).json
    expect((await asked({ from: day, to: day })).total.interactions).toBe(2)
    expect((await asked({ from: '2020-01-01', to: '2020-12-31' })).total).toMatchObject({
      interactions: 0,
      cost: null,
    })
    expect(await asked({ from: '5', to: '6' })).toMatchObject({ from: 5, to: 6, rows: [] })
  })

  it('[W6] refuses unknown parameters with a sentence', async () => {
    const detail = async (query: string) => {
      const response = await server.send(`/api/usage?${query}`)
      expect(response.status).toBe(400)
      return ((await response.json()) as { readonly detail: string }).detail
    }
    expect(await detail('by=month')).toContain('must be one or more of day, agent, model, folder and tool')
    expect(await detail('by=model,tool')).toContain('Cannot group by model and tool together')
    expect(await detail('from=yesterday')).toContain('must be a day')
    expect(await detail('from=2026-02-31x')).toContain('must be a day')
    expect(await detail('zone=Nowhere')).toContain('There is no time zone "Nowhere"')
  })
})
