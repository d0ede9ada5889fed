// @vitest-environment jsdom
import type { ReactElement } from 'react'
import { expect, it, vi } from 'vitest'
import { useClient } from 'dragoman/react'
import { pressKey, render, type, wait } from '../composer/render.fixture.tsx'
import { FindBar, type Wanted } from './find-bar.tsx'
import type { FoundPlace } from './find-loaded.ts'

const hit = (seq: number, part: string, snippet = 'the parser') => ({
  session: 's',
  seq,
  messageId: 'm',
  part: `m/${part}`,
  kind: 'answer',
  at: 0,
  snippet,
  ranges: [[4, 10]],
})

const gone: FoundPlace[] = []
const closed = vi.fn<() => void>()
const nothing: Wanted = { query: '' }
const list = () => null

function Bar({ wanted = nothing }: { readonly wanted?: Wanted }): ReactElement {
  return (
    <FindBar
      session={useClient().session('s')}
      wanted={wanted}
      asked={1}
      nearest={places => places.length - 1}
      row={null}
      list={list}
      onGo={place => gone.push(place)}
      onClose={closed}
      actions={() => null}
    />
  )
}

const field = (place: Element) => place.querySelector<HTMLInputElement>('[data-find-field]') ?? undefined
const shown = () => gone.at(-1)?.part

/** Waits for the pause in typing, and then for the reply. */
async function searched() {
  await wait(300)
  await wait(100)
}

/** Pages of hits, the newest first, as the server gives them. */
function pages(...all: readonly (readonly object[])[]) {
  return (address: string) => {
    const url = new URL(address)
    if (url.pathname !== '/api/search') return null
    const at = Number(url.searchParams.get('cursor') ?? 0)
    const next = at + 1 < all.length ? String(at + 1) : null
    return Response.json({ hits: all[at], next, behind: 0 })
  }
}

it('[J15] finds in the order of the conversation, over all pages, and goes round', async () => {
  gone.length = 0
  const answer = pages([hit(9, 'c'), hit(5, 'b')], [hit(2, 'a'), { ...hit(1, ''), messageId: null }])
  const { place, button, press } = await render(<Bar />, { answer })
  expect(button('Next match')?.disabled).toBe(true)
  await type(field(place), 'parser')
  await searched()
  expect(place.querySelector('[role=status]')?.textContent).toBe('3 of 3')
  expect(shown()).toBe('m/c')
  await pressKey(field(place), 'Enter')
  expect(place.querySelector('[role=status]')?.textContent).toBe('1 of 3')
  expect(shown()).toBe('m/a')
  await pressKey(field(place), 'Enter', { shiftKey: true })
  await press('Previous match')
  expect(shown()).toBe('m/b')
  expect(place.querySelector('mark')?.textContent).toBe('parser')
  await pressKey(field(place), 'Escape')
  expect(closed).toHaveBeenCalledOnce()
})

it('[J15] begins with the part that the address names', async () => {
  gone.length = 0
  const answer = pages([hit(9, 'c'), hit(5, 'b'), hit(2, 'a')])
  const { place } = await render(<Bar wanted={{ query: 'parser', part: 'm/b' }} />, { answer })
  await searched()
  expect(field(place)?.value).toBe('parser')
  expect(gone.map(({ part }) => part)).toEqual(['m/b'])
})

it('[J15] a query that is refused shows the sentence of the server, and no count', async () => {
  const detail = 'The search took too long and was stopped. Use a simpler pattern.'
  const answer = (address: string) =>
    address.includes('/api/search')
      ? Response.json(
          { code: 'invalid-input', detail },
          { status: 400, headers: { 'content-type': 'application/problem+json' } },
        )
      : null
  const { place } = await render(<Bar />, { answer })
  await type(field(place), '/(a+)+$/')
  await searched()
  expect(place.textContent).toContain(detail)
  expect(place.querySelector('[role=status]')?.textContent).toBe('')
})

it('[R3] what was found is inert', async () => {
  const answer = pages([hit(9, 'c', 'the \u202Eparser <b>')])
  const { place } = await render(<Bar />, { answer })
  await type(field(place), 'parser')
  await searched()
  expect(place.textContent).toContain('<b>')
  expect(place.textContent).not.toContain('\u202E')
})
