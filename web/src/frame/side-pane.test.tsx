// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest'
import { pressKey, render } from '../composer/render.fixture.tsx'
import { SidePane, widthIn, widths } from './side-pane.tsx'

beforeEach(() => localStorage.clear())

async function openPane() {
  const { place } = await render(<SidePane>{edge => <nav>{edge}</nav>}</SidePane>)
  const edge = place.querySelector<HTMLElement>('[role=separator]') ?? undefined
  return {
    press: (key: string) => pressKey(edge, key),
    width: () => Number(edge?.ariaValueNow ?? edge?.getAttribute('aria-valuenow')),
  }
}

it('[W1] the session list is made wider and narrower by keyboard, within limits, and stays so in this browser', async () => {
  const pane = await openPane()
  expect(pane.width()).toBe(widths.usual)
  await pane.press('ArrowRight')
  expect(pane.width()).toBe(widths.usual + 20)
  for (const [key, width] of [
    ['End', widths.most],
    ['ArrowRight', widths.most],
    ['Home', widths.least],
    ['ArrowLeft', widths.least],
    ['ArrowRight', widths.least + 20],
  ] as const) {
    await pane.press(key)
    expect(pane.width()).toBe(width)
  }
  expect((await openPane()).width()).toBe(widths.least + 20)
})

it('[W1] a kept width that makes no sense counts as the usual one', () => {
  for (const kept of ['', 'wide', '5', '99999', '300.5', 'NaN']) expect(widthIn(kept)).toBe(widths.usual)
  expect(widthIn('420')).toBe(420)
})
