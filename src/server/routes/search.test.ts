import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

let server: Opened
let session: string
beforeAll(async () => {
  server = await openDragoman()
  session = await server.session()
  await server.run(session, 'show me tools and thinking')
})
afterAll(() => server[Symbol.asyncDispose]())

const search = (query: Readonly<Record<string, string>>) => server.call('search', { query })
const kindsOf = async (q: string, more = {}) =>
  (await search({ q, ...more })).json.hits.map(({ kind }) => kind)

describe('GET /api/search', () => {
  it('[J15] finds prompts, answers, thinking, tool inputs and outputs', async () => {
    await expect.poll(() => kindsOf('"show me tools"')).toEqual(['prompt'])
    expect(await kindsOf('kind tool:Read')).toBeDefined()
    expect(await kindsOf('npm', { tool: 'run' })).toContain('tool-input')
    const { json, status } = await search({ q: 'npm test', limit: '2' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ behind: 0 })
    const [hit] = json.hits
    expect(hit).toMatchObject({
      session,
      seq: expect.any(Number) as number,
      at: expect.any(Number) as number,
    })
    expect(hit?.ranges.map(([from, to]) => hit.snippet.slice(from, to).toLowerCase())).toContain('npm')
    expect(json.hits.length).toBeLessThanOrEqual(2)
  })

  it('[J15] filters by parameters as by the query', async () => {
    expect(
      await kindsOf('show', { agent: 'scripted', session, status: 'idle', after: '2020-01-01' }),
    ).toEqual(await kindsOf(`agent:scripted session:${session} status:done after:2020-01-01 show`))
    expect(await kindsOf('show', { before: '2020-01-01' })).toEqual([])
  })

  it('[J15] does not find a deleted session', async () => {
    const other = await server.session()
    await server.run(other, 'an ephemeral prompt')
    await expect.poll(() => kindsOf('ephemeral prompt')).toContain('prompt')
    await server.call('deleteSession', { params: { session: other } })
    await expect.poll(() => kindsOf('"an ephemeral prompt"')).toEqual([])
  })

  it.each([
    ['', 'The query is empty'],
    ['?q=%22', 'The query has a quotation mark without a second one'],
    ['?q=%2F(%2F', 'The pattern /(/ is not valid'],
    ['?q=colour:red', 'There is no filter "colour:"'],
    ['?q=x&colour=red', 'colour'],
    ['?q=x&limit=0', 'must be'],
    ['?q=x&limit=101', 'must be from 1 to 100'],
    ['?q=x&cursor=abc', 'The cursor is not valid'],
    ['?q=x&status=odd', '"odd" is not a status'],
    ['?q=x&before=soon', '"soon" is not a day'],
    ['?q=x&session=../x', 'use 1 to 128 letters'],
    [`?q=${'x'.repeat(1001)}`, 'longer than 1000 characters'],
  ])('[J15] answers a bad query with 400 and a sentence: %s', async (query, sentence) => {
    const response = await server.send(`/api/search${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'invalid-input',
      detail: expect.stringContaining(sentence) as string,
    })
  })
})
