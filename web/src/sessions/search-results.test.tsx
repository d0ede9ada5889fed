// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { render, wait } from '../composer/render.fixture.tsx'
import { SearchResults } from './search-results.tsx'
import { everything } from './session-search.ts'

const hit = {
  session: 's1',
  seq: 7,
  messageId: 'm 1',
  part: 'm 1/t',
  kind: 'answer',
  at: 0,
  snippet: '…the parser works',
  ranges: [[5, 11]],
}

it('[J15] hits are links to their messages, with what was found marked', async () => {
  const asked: string[] = []
  const answer = (address: string) => {
    asked.push(address)
    return Response.json({
      hits: [hit, { ...hit, seq: 8, messageId: null, part: null, kind: 'title' }],
      next: null,
      behind: 3,
    })
  }
  const search = { ...everything, words: ' parser ', agent: 'codex' }
  const { place } = await render(<SearchResults search={search} />, { answer })
  await wait(50)
  expect([...new Set(asked)]).toEqual(['http://fake/api/search?q=parser&agent=codex'])
  expect(place.querySelector('section')?.getAttribute('aria-label')).toBe('Search results')
  const links = [...place.querySelectorAll('a')]
  expect(links.map(link => link.getAttribute('href'))).toEqual([
    '/s/s1/m/m%201?find=parser&part=m+1%2Ft',
    '/s/s1',
  ])
  expect(links[0]?.querySelector('mark')?.textContent).toBe('parser')
  expect(place.textContent).toContain('Not indexed yet: 3 entries.')
})

it('[R3] text that was found is inert: direction marks are shown and have no effect', async () => {
  const hostile = { ...hit, snippet: 'the \u202Eparser', ranges: [[5, 11]] }
  const answer = () => Response.json({ hits: [hostile], next: null, behind: 0 })
  const { place } = await render(<SearchResults search={{ ...everything, words: 'parser' }} />, { answer })
  await expect.poll(() => place.querySelector('mark')?.textContent).toBe('parser')
  expect(place.textContent).not.toContain('\u202E')
})

it('[J15] a query that is refused shows the sentence, and one letter is not searched for', async () => {
  const problem = { code: 'invalid-input', detail: 'The query has a quotation mark without a second one.' }
  const answer = () =>
    Response.json(problem, { status: 400, headers: { 'content-type': 'application/problem+json' } })
  const refused = await render(<SearchResults search={{ ...everything, words: '"parser' }} />, { answer })
  await wait(50)
  expect(refused.place.textContent).toContain(problem.detail)
  const short = await render(<SearchResults search={{ ...everything, words: 'p' }} />, { answer })
  expect(short.place.textContent).toBe('')
})
