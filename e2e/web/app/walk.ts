import type { Page } from 'playwright-core'
import { dangersIn } from '../../../web/src/safety/dangers.fixture.ts'

/** The result of a walk through a page that opens everything. */
interface Walked {
  readonly marks: readonly string[]
  readonly dangers: readonly string[]
}

/**
 * Scrolls through everything in a page and opens everything that is closed. Returns the markers it found, and
 * what was dangerous in the page at any step.
 */
export async function walk(page: Page, within = 'main'): Promise<Walked> {
  const text = `(${walkHere.toString()})(${JSON.stringify(within)}, ${dangersIn.toString()})`
  return await page.evaluate<Walked>(text)
}

/** Runs in the page, so it uses nothing from outside. */
async function walkHere(within: string, look: typeof dangersIn): Promise<Walked> {
  const marks = new Set<string>()
  const dangers = new Set<string>()
  const frames = async (count: number) => {
    for (let at = 0; at < count; at += 1) await new Promise(resolve => requestAnimationFrame(resolve))
  }
  const closed =
    ':is(button, summary)[aria-expanded=false]:not([aria-haspopup], [popovertarget]), details:not([open]) > summary'
  // All data of a call is the same tree as that of a call of no known kind, and very long.
  const closedIn = (box: Element) =>
    [...box.querySelectorAll<HTMLElement>(closed)].filter(each => each.textContent !== 'All data')
  const isOurs = (danger: string) => danger.startsWith('<form class="') || danger === 'href="#main" on a'
  const see = async (box: Element) => {
    // Opened content may contain more that is closed, and may have to load first.
    const isReady = () => closedIn(box).length === 0 && !/Loading /.test(box.textContent ?? '')
    const note = () => {
      for (const word of (box.textContent ?? '').matchAll(/mark-[a-z]+-\d+/g)) marks.add(word[0])
    }
    for (let round = 0; round < 40 && (round === 0 || !isReady()); round += 1) {
      // At its end a conversation follows new text, and the rows above scroll out of view.
      note()
      for (const each of closedIn(box)) each.click()
      await frames(2)
    }
    note()
    for (const danger of look(document.body)) if (!isOurs(danger)) dangers.add(danger.slice(0, 300))
  }
  const place = document.querySelector(within) ?? document.body
  const canScroll = (each: Element) =>
    each.scrollHeight > each.clientHeight + 40 &&
    /auto|scroll/.test(getComputedStyle(each).overflowY) &&
    each.clientHeight > 150
  // A conversation may have to be scrolled only when its runs of steps are open.
  const conversation = place.querySelector('[role=log]')
  if (conversation !== null) await see(conversation)
  const boxes = [place, ...place.querySelectorAll('*')].filter(canScroll)
  for (const box of boxes.length > 0 ? boxes : [place]) {
    // A page that has just come may still go to its end by itself, and keeps its distance from there for 150 ms more; a busy
    // machine draws few pictures in that time.
    let since = performance.now()
    for (let rested = 0, drawn = 0; rested < 25 || performance.now() < since + 400; rested += 1) {
      if (box.scrollTop > 0) {
        since = performance.now()
        rested = 0
      }
      if ((drawn += 1) > 2_000) throw new Error('The page does not stay at its beginning.')
      box.scrollTop = 0
      await frames(1)
    }
    const isAtEnd = () => box.scrollTop + box.clientHeight >= box.scrollHeight - 2
    for (let steps = 0; steps < 2_000; steps += 1) {
      await see(box)
      if (isAtEnd()) break
      box.scrollTop += Math.max(100, box.clientHeight * 0.6)
      await frames(1)
    }
  }
  return { marks: [...marks], dangers: [...dangers] }
}
