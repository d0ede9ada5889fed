// @vitest-environment jsdom
import { act, useState, type ReactElement } from 'react'
import { expect, it } from 'vitest'
import { render } from '../composer/render.fixture.tsx'
import { SessionFilters } from './session-filters.tsx'
import { everything } from './session-search.ts'

function Filters(): ReactElement {
  const [search, change] = useState(everything)
  return (
    <>
      <SessionFilters search={search} onChange={change} />
      <output>{search.away ?? 'nothing'}</output>
    </>
  )
}

it('[W1] archived or deleted sessions can be searched, one kind at a time', async () => {
  const answer = (address: string) =>
    address.includes('/api/sessions') ? Response.json({ sessions: [], next: null }) : null
  const { place } = await render(<Filters />, { answer })
  const [archived, deleted] = place.querySelectorAll<HTMLInputElement>('[type=checkbox]')
  const labels = [...place.querySelectorAll('label:has([type=checkbox])')]
  expect(labels.map(({ textContent }) => textContent)).toEqual(['Archived sessions', 'Deleted sessions'])
  const chosen: unknown[] = []
  for (const each of [archived, deleted, deleted]) {
    await act(async () => each?.click())
    chosen.push([place.querySelector('output')?.textContent, archived?.checked, deleted?.checked])
  }
  expect(chosen).toEqual([
    ['archived', true, false],
    ['deleted', false, true],
    ['nothing', false, false],
  ])
})
