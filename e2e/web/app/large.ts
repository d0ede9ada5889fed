import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { longSession } from './made-sessions.ts'
import type { Room } from './room.ts'
import type { Scenarios } from './scenario.ts'
import { transcript } from './steps.ts'

const count = 10_000
/** However long a conversation is, a page has not more elements than this. */
const mostElements = 2_500

/** A very long conversation. */
export const large: Scenarios = {
  '10,000 messages can be scrolled back to the first without a jump': {
    isLong: true,
    async play(room) {
      const page = await room.open(`/s/${await longSession(room, count)}`)
      await message(page, count - 1).waitFor()
      await assertSmall(page)
      await seeStaying(page, 5)
      await transcript(page).focus()
      await untilFirst(page)
      await assertSmall(page)
      await page.getByRole('button', { name: /^Jump to latest/ }).click()
      await message(page, count - 1).waitFor()
      assert.ok(await isAtEnd(transcript(page)), 'the end is not visible')
      await assertSmall(page)
    },
  },
  'one press of Home goes to the first message of a session with many pages': {
    async play(room) {
      const page = await room.open(`/s/${await longSession(room, 700)}`)
      await message(page, 699).waitFor()
      await transcript(page).focus()
      await untilFirst(page)
    },
  },
  'with reduced motion the end of a conversation stays visible, also with less space': {
    async play(room) {
      const session = await unevenSession(room)
      for (const height of [800, 1200, 600]) {
        const page = await room.open('/', { reducedMotion: 'reduce', viewport: { width: 1280, height } })
        await page.goto(`${room.server.url}/s/${session}`)
        await page.getByText('The end of 23.').waitFor()
        await untilAtEnd(page)
        await page.getByRole('button', { name: 'Work log, context and inspector' }).click()
        await page.getByRole('tab', { name: 'Work log' }).waitFor()
        await untilAtEnd(page)
        await page.close()
      }
    },
  },
  'late data about interactions does not move the transcript': {
    async play(room) {
      const page = await openLong(room, 2_000, tellLate)
      await page.getByText('Loading the conversation').waitFor()
      await message(page, 1_999).waitFor()
      // The third page is longer than the number of interactions loaded ahead.
      await seeStaying(page, 4)
    },
  },
  'older messages that arrive when scrolling ends do not move the transcript': {
    async play(room) {
      const page = await openLong(room, 2_000, olderAsScrollingEnds)
      await message(page, 1_999).waitFor()
      await seeStaying(page, 5)
    },
  },
  'a link opens the middle of 10,000 messages': {
    async play(room) {
      const session = await longSession(room, count)
      const page = await room.open(`/s/${session}/m/${await idOf(room, session, 5_000)}`)
      await message(page, 5_000).waitFor()
      const box = await message(page, 5_000).boundingBox()
      assert.ok(box !== null && box.y > 0 && box.y < 700, `it is not visible: ${JSON.stringify(box)}`)
      await assertSmall(page)
      await page.getByRole('button', { name: /^Jump to latest/ }).click()
      await message(page, count - 1).waitFor()
    },
  },
  'jumping to the latest message while the list settles is not undone': {
    async play(room) {
      const session = await longSession(room, 1_000)
      const middle = `/s/${session}/m/${await idOf(room, session, 500)}`
      for (const frames of [1, 2, 4, 7]) {
        const page = await room.open('/dashboard?demo=1')
        await page.addInitScript(jumpAfter, frames)
        await page.goto(`${room.server.url}${middle}`)
        await page.waitForFunction(() => 'isJumped' in window)
        await message(page, 999).waitFor()
        await page.getByRole('button', { name: /^Jump to latest/ }).waitFor({ state: 'detached' })
        await page.close()
      }
    },
  },
}

/** Opens a session of so many messages in a page that does something first. */
async function openLong(room: Room, messages: number, first: () => void): Promise<Page> {
  const session = await longSession(room, messages)
  const page = await room.open('/dashboard?demo=1')
  await page.addInitScript(first)
  await page.goto(`${room.server.url}/s/${session}`)
  return page
}

/** Runs in the page: delays the replies about interactions. */
function tellLate(): void {
  const ask = window.fetch.bind(window)
  window.fetch = async (...asked) => {
    if (/\/interactions\?/.test(new Request(...asked).url))
      await new Promise(resolve => setTimeout(resolve, 1500))
    return ask(...asked)
  }
}

/** Runs in the page: older messages arrive right after the list considers scrolling ended, 150 ms after it. */
function olderAsScrollingEnds(): void {
  const read = Object.getOwnPropertyDescriptor(Response.prototype, 'json')?.value as () => Promise<unknown>
  let give = (): void => undefined
  let timer = 0
  const scrolled = () => {
    clearTimeout(timer)
    timer = window.setTimeout(() => give(), 151)
  }
  window.addEventListener('scroll', scrolled, true)
  Response.prototype.json = async function (this: Response) {
    const body = await read.call(this)
    const isOlder = /\/messages\?.*before=/.test(this.url)
    if (isOlder) await new Promise<void>(resolve => (setTimeout(resolve, 1000), (give = resolve)))
    return body
  }
}

/** Runs in the page: presses the button so many frames after it appeared, and returns when the list has settled. */
function jumpAfter(frames: number): void {
  const after = (left: number, run: () => void): void =>
    void requestAnimationFrame(() => (left > 0 ? after(left - 1, run) : run()))
  const look = () => {
    const all = [...document.querySelectorAll('button')]
    const button = all.find(each => each.textContent.startsWith('Jump to latest'))
    if (button === undefined) return after(0, look)
    after(frames, () => {
      button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
      button.click()
      after(60, () => Object.assign(window, { isJumped: true }))
    })
  }
  after(0, look)
}

const message = (page: Page, no: number): Locator => transcript(page).getByText(`Message ${no}.`)

/** A conversation whose answers are of very different heights, and higher where there is less room. */
async function unevenSession({ client }: Room): Promise<string> {
  const messages = Array.from({ length: 24 }, (_, at) => ({
    id: `message-${at}`,
    role: at % 2 === 0 ? 'user' : 'assistant',
    parts: [{ type: 'text', text: `${'Words of many lines. '.repeat((at * 37) % 200)}The end of ${at}.` }],
  }))
  return (await client.createSession({ legacy: { format: 'ui', messages } })).id
}

/** Waits until nothing moves, and checks that the end is visible then. */
async function untilAtEnd(page: Page): Promise<void> {
  await page.waitForTimeout(700)
  const below = await transcript(page).evaluate(log => log.scrollHeight - log.clientHeight - log.scrollTop)
  assert.ok(below < 2, `the end is ${below} px below`)
}

async function assertSmall(page: Page): Promise<void> {
  const elements = await page.evaluate(() => document.querySelectorAll('*').length)
  assert.ok(elements < mostElements, `the page has ${elements} elements`)
}

const isAtEnd = (log: Locator): Promise<boolean> =>
  log.evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - clientHeight - scrollTop < 50)

/** Checks several times that the visible rows stay in place while older messages load. */
async function seeStaying(page: Page, times: number): Promise<void> {
  let seen = 0
  for (let tries = 0; seen < times && tries < 20; tries += 1) if (await staysWhileOlderCome(page)) seen += 1
  assert.equal(seen, times, 'older messages were loaded before any row was visible')
}

/**
 * Scrolls to where older messages are loaded, and checks that the visible rows stay in place. False if they were
 * loaded before any row was visible, so that there was nothing to check.
 */
async function staysWhileOlderCome(page: Page): Promise<boolean> {
  const moved = await transcript(page).evaluate(async log => {
    const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
    const height = log.scrollHeight
    // A page of messages is higher than what measuring rows for the first time changes.
    const isThere = () => log.scrollHeight > height + 1500
    const middle = log.getBoundingClientRect().top + 300
    const inMiddle = ([...rows]: Iterable<HTMLElement>) =>
      rows.find(row => {
        const { top, bottom } = row.getBoundingClientRect()
        return top <= middle && bottom > middle
      })?.dataset['row']
    let key: string | undefined
    const place = () =>
      log.querySelector(`[data-row="${CSS.escape(key ?? '')}"]`)?.getBoundingClientRect().top
    let before: number | undefined
    log.scrollTop = 1100
    for (let frames = 0; frames < 1200; frames += 1) {
      await frame()
      if (isThere()) break
      // The rows of where it was before may still be there, out of sight, before those of here are drawn.
      key ??= inMiddle(log.querySelectorAll<HTMLElement>('[data-row]'))
      before = place()
    }
    if (!isThere()) return null
    if (key === undefined) return undefined
    let furthest = 0
    for (let frames = 0; frames < 20; frames += 1) {
      furthest = Math.max(furthest, Math.abs((place() ?? Infinity) - (before ?? 0)))
      await frame()
    }
    return furthest
  })
  assert.ok(moved !== null, 'no older messages were loaded')
  assert.ok(moved === undefined || moved <= 2, `the visible rows moved by ${moved} px`)
  return moved !== undefined
}

/** Presses Home once, and waits until the very first message is at the top and stays there for 30 frames. */
async function untilFirst(page: Page): Promise<void> {
  await page.keyboard.press('Home')
  await page.waitForFunction(
    frames => {
      const log = document.querySelector('[role=log]')
      const isFirst = log?.scrollTop === 0 && log.textContent.includes('Message 0.')
      frames.still = isFirst ? frames.still + 1 : 0
      return frames.still === 30
    },
    { still: 0 },
    { timeout: 240_000 },
  )
  await message(page, 0).waitFor()
}

type MessagePage = Awaited<ReturnType<typeof readPage>>

const readPage = ({ client }: Room, session: string, before: number | null) =>
  client.call('listMessages', {
    params: { session },
    query: before === null ? { limit: '1000' } : { limit: '1000', before: String(before) },
  })

/** The id of the message with a number. */
async function idOf(room: Room, session: string, no: number): Promise<string> {
  let before: number | null = null
  for (;;) {
    const { messages, next }: MessagePage = await readPage(room, session, before)
    const found = messages.find(each => JSON.stringify(each.parts).includes(`"Message ${no}.`))
    if (found !== undefined) return found.id
    if (next === null) throw new Error(`There is no message ${no}.`)
    before = next
  }
}
