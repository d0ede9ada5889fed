// @vitest-environment jsdom
import { act, useState } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { render, wait } from '../composer/render.fixture.tsx'
import { listed } from '../session-summary/listed.fixture.ts'
import { facesAfter } from '../session-summary/session-face.ts'
import { SessionList } from './session-list.tsx'

const faces = facesAfter(
  [],
  Array.from({ length: 30 }, (_, index) => listed({ id: `s${index}`, title: `Session ${index}` })),
)

/** Rows of 50 in a list of 500, in a page that lays nothing out. */
function layOut(): void {
  const places = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (
    this: Element,
  ) {
    const row = /^s(\d+)$/.exec(this.getAttribute('data-session') ?? '')?.[1]
    const scrolled = document.querySelector('[data-scroller]')?.scrollTop ?? 0
    return row === undefined
      ? new DOMRect(0, 0, 200, 500)
      : new DOMRect(0, Number(row) * 50 - scrolled, 200, 50)
  })
  onTestFinished(() => places.mockRestore())
}

const shownAt = async (here: string) => {
  layOut()
  const { place } = await render(<SessionList faces={faces} here={here} now={0} end={null} />)
  await wait(50)
  return place.querySelector('[data-scroller]')?.scrollTop
}

it('[W1] the open session is scrolled into view, and a list that shows it already does not move', async () => {
  expect(await shownAt('s20')).toBe(20 * 50 - 225)
  expect(await shownAt('s3')).toBe(0)
  expect(await shownAt('elsewhere')).toBe(0)
})

it('[W7] the focus moves from a deleted session to the next, the previous, or the page', async () => {
  let show: (ids: readonly string[]) => void = () => {}
  const List = () => {
    const [ids, set] = useState<readonly string[]>(['s1', 's2', 's3'])
    show = set
    const shown = faces.filter(({ id }) => ids.includes(id))
    return shown.length === 0 ? null : <SessionList faces={shown} here={null} now={0} end={null} />
  }
  const { place } = await render(
    <main id="main" tabIndex={-1}>
      <List />
    </main>,
  )
  const leave = (...ids: readonly string[]) => act(async () => show(ids))
  const menuOf = (id: string) =>
    place.querySelector<HTMLElement>(`[data-listed="${id}"] [aria-haspopup=menu]`)
  const focused = () => document.activeElement?.getAttribute('data-session') ?? document.activeElement?.id
  menuOf('s2')?.focus()
  await leave('s1', 's3')
  expect(focused()).toBe('s3')
  await leave('s1')
  expect(focused()).toBe('s1')
  await leave()
  expect(focused()).toBe('main')
})
