// @vitest-environment jsdom
import { act, useState } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { pressKey, render, wait } from '../composer/render.fixture.tsx'
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
  await act(async () => menuOf('s2')?.focus())
  await leave('s1', 's3')
  expect(focused()).toBe('s3')
  await leave('s1')
  expect(focused()).toBe('s1')
  await leave()
  expect(focused()).toBe('main')
})

/** A list in a page, and which row has the focus. */
async function openList(count: number, here: string | null, by: 'time' | 'project' = 'time') {
  localStorage.clear()
  const { place } = await render(
    <SessionList faces={faces.slice(0, count)} here={here} now={0} by={by} end={null} />,
  )
  const stops = () => [...place.querySelectorAll<HTMLElement>('[tabindex="0"]')]
  const nameOf = (element: Element | null) => element?.getAttribute('data-stop') ?? element?.ariaLabel ?? null
  return {
    place,
    stops: () => stops().map(nameOf),
    focused: () => nameOf(document.activeElement),
    enter: () => act(async () => stops()[0]?.focus()),
    press: (key: string) => pressKey(document.activeElement as HTMLElement, key),
  }
}

it('[W7] a list of sessions is one stop of the Tab key: the open session, else the first, else where the focus was', async () => {
  expect((await openList(5, 's3')).stops()).toEqual(['s3'])
  const list = await openList(5, null)
  expect(list.stops()).toEqual(['s0'])
  await list.enter()
  for (const [key, next] of [
    ['ArrowDown', 's1'],
    ['ArrowDown', 's2'],
    ['ArrowUp', 's1'],
    ['ArrowRight', 'Session menu'],
    ['ArrowLeft', 's1'],
    ['End', 's4'],
    ['ArrowDown', 's4'],
    ['Home', 's0'],
    ['ArrowUp', 's0'],
    ['ArrowDown', 's1'],
  ] as const) {
    await list.press(key)
    expect(list.focused()).toBe(next)
    expect(list.stops()).toHaveLength(1)
  }
  expect(list.stops()).toEqual(['s1'])
})

it('[W1] a project is folded and unfolded, by keyboard too, and stays folded in this browser', async () => {
  const list = await openList(3, null, 'project')
  const rows = () => list.place.querySelectorAll('a[data-session]').length
  await list.enter()
  expect([list.focused(), rows()]).toEqual(['group /home/ada/engine', 3])
  await act(async () => (document.activeElement as HTMLElement).click())
  expect(rows()).toBe(0)
  const again = await render(<SessionList faces={faces} here={null} now={0} by="project" end={null} />)
  expect(again.place.querySelectorAll('a[data-session]')).toHaveLength(0)
  expect(again.place.querySelector('[aria-expanded]')?.textContent).toBe('ada/engine30')
  await act(async () => again.place.querySelector<HTMLElement>('[aria-expanded]')?.click())
  expect(again.place.querySelectorAll('a[data-session]')).toHaveLength(30)
})
