import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { isInView, talkOf, until } from './looking.ts'
import { askingSession, talkedSession } from './made-sessions.ts'
import type { Scenarios } from './scenario.ts'
import { dock, messageBox, sessionOf, transcript, untilFocused, untilIdle } from './steps.ts'

const still = { reducedMotion: 'reduce' } as const

/** Using the app without a mouse. */
export const keyboardScenarios: Scenarios = {
  'by keyboard: start a session, approve, open a card and its raw lines, and return': {
    pace: '0',
    async play(room) {
      const page = await room.open('/', still)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('c')
      await page.getByRole('dialog', { name: 'New session' }).waitFor()
      await page.keyboard.press('Enter')
      await untilFocused(messageBox(page))
      await page.keyboard.type('an approval and tools')
      await page.keyboard.press('Enter')
      const question = dock(page)
      await question.getByRole('button', { name: 'Allow', exact: true, disabled: false }).waitFor()
      await tabTo(page, question.getByRole('button', { name: 'Allow', exact: true }), 'Shift+Tab')
      await page.keyboard.press('Enter')
      await untilFocused(messageBox(page))
      await untilIdle(room, sessionOf(page))
      const card = transcript(page).getByRole('button', { name: /^Read/, expanded: false }).last()
      await tabTo(page, card, 'Shift+Tab')
      await page.keyboard.press('Enter')
      await tabTo(page, transcript(page).getByRole('button', { name: 'Raw' }), 'Tab')
      await page.keyboard.press('Enter')
      const inspector = page.getByRole('tab', { name: 'Inspector', selected: true })
      await inspector.waitFor()
      await page.keyboard.press('r')
      await inspector.waitFor({ state: 'hidden' })
      await page.keyboard.press('i')
      await untilFocused(messageBox(page))
    },
  },
  'letters typed after the palette shortcut go to the palette, even before it is loaded, and answer no request':
    {
      pace: '0',
      async play(room) {
        const session = await askingSession(room, 'an approval', 'May it?')
        for (const from of ['the conversation', 'the message field']) {
          const page = await room.open('/', still)
          await page.route('**/assets/command-palette-*.js', async route => {
            await new Promise(resolve => setTimeout(resolve, 800))
            await route.continue()
          })
          await page.goto(`${room.server.url}/s/${session}`)
          await dock(page).getByRole('button', { name: 'Allow', exact: true, disabled: false }).waitFor()
          await (from === 'the conversation' ? transcript(page) : messageBox(page)).focus()
          await page.keyboard.press('Control+k')
          await page.keyboard.type('archive', { delay: 60 })
          const palette = page.getByRole('dialog', { name: 'Commands' })
          await palette.getByRole('option').first().waitFor()
          await page.keyboard.type(' it')
          assert.equal(await palette.getByRole('combobox').inputValue(), 'archive it')
          await page.keyboard.press('Escape')
          assert.equal(await messageBox(page).inputValue(), '')
          await dock(page).getByRole('button', { name: 'Allow', exact: true, disabled: false }).waitFor()
          await page.close()
        }
      },
    },
  'by keyboard: go from prompt to prompt; the mouse wheel scrolls elsewhere': {
    pace: '0',
    async play(room) {
      const prompts = Array.from({ length: 5 }, (_, at) => `a long answer, number ${at + 1}`)
      const session = await talkOf(room, ...prompts)
      await untilIdle(room, session)
      const page = await room.open(`/s/${session}`, still)
      await transcript(page).getByText('number 5').first().waitFor()
      const inSight = (words: string) => until(`“${words}” is in view`, () => isInView(page, words))
      // Nothing has the focus, or something that has no use for the key.
      await page.evaluate(
        () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
      )
      await page.keyboard.press('Home')
      await inSight('number 1')
      await page.keyboard.press('End')
      await page.getByRole('button', { name: /^Jump to latest/ }).waitFor({ state: 'detached' })
      await page.getByRole('heading', { level: 1 }).click()
      for (const _ of prompts) await page.keyboard.press('Shift+K')
      await inSight('number 1')
      assert.equal(await isInView(page, 'number 3'), false)
      for (const words of ['number 2', 'number 3', 'number 4']) {
        await page.keyboard.press('Shift+J')
        await inSight(words)
      }
      await page.keyboard.press('Shift+K')
      await inSight('number 3')
      await transcript(page).hover()
      await page.mouse.wheel(0, 5)
      await page.keyboard.press('Shift+J')
      await inSight('number 4')
      await page.keyboard.press('Shift+K')
      await page.mouse.wheel(0, 10_000)
      await page.getByRole('button', { name: /^Jump to latest/ }).waitFor({ state: 'detached' })
      await page.waitForTimeout(500)
      assert.equal(await isInView(page, 'number 3'), false)
      assert.equal(await page.getByRole('button', { name: /^Jump to latest/ }).count(), 0)
    },
  },
  'by keyboard: find a command, show all shortcuts, and go from session to session': {
    pace: '0',
    async play(room) {
      const [older, newer] = [
        await talkedSession(room, 'hello', 'The first'),
        await talkedSession(room, 'hello', 'The second'),
      ]
      const page = await room.open(`/s/${newer}`, still)
      await transcript(page).getByText('Hello!').waitFor()
      await page.keyboard.press('Control+k')
      await untilFocused(page.getByRole('combobox'))
      await page.keyboard.type('dashb')
      await page.getByRole('option', { name: /Dashboard/, selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/dashboard$/)
      await page.getByRole('dialog', { name: 'Commands' }).waitFor({ state: 'hidden' })
      await page.keyboard.press('?')
      const sheet = page.getByRole('dialog')
      // Shortcuts of other pages are listed too, with their page.
      for (const words of ['Next session', 'Stop the agent', 'while a session is open', 'Play or pause'])
        await sheet.getByText(words).waitFor()
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'hidden' })
      await page.keyboard.press('j')
      await page.waitForURL(new RegExp(newer))
      await page.keyboard.press('j')
      await page.waitForURL(new RegExp(older))
      await page.keyboard.press('k')
      await page.waitForURL(new RegExp(newer))
      await page.keyboard.press('i')
      await untilFocused(messageBox(page))
    },
  },
  'the focus moves through a session in page order, and is visible everywhere': {
    pace: '0',
    async play(room) {
      const session = await talkedSession(room, 'tools', 'In order')
      const page = await room.open(`/s/${session}`, still)
      await transcript(page).getByRole('button', { name: 'Raw' }).last().waitFor()
      const names: string[] = []
      for (let step = 0; step < 60 && names.at(-1) !== 'Message'; step += 1) {
        await page.keyboard.press('Tab')
        names.push(await focusedName(page))
      }
      const order = [
        'Skip to content',
        'New session',
        'Search sessions',
        'In order',
        'Dashboard',
        'Rename',
        'Transcript',
        'Raw',
        'Message',
      ]
      const places = order.map(name => names.findIndex(each => each.includes(name)))
      assert.ok(
        !places.includes(-1),
        `not reached: ${order.filter((_, at) => places[at] === -1).join(', ')} of ${names.join(' · ')}`,
      )
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
        names.join(' · '),
      )
    },
  },
}

async function tabTo(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  const names: string[] = []
  for (let count = 0; count < 30; count += 1) {
    await page.keyboard.press(key)
    names.push(await focusedName(page))
    if (await wanted.evaluateAll(all => all.includes(document.activeElement as HTMLElement))) return
  }
  throw new Error(`${key} does not lead to ${String(wanted)}, but to ${names.join(' · ')}.`)
}

/** The focused element; throws when it is out of view, or has no visible focus. */
async function focusedName(page: Page): Promise<string> {
  const { name, isInSight, isMarked } = await page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const around = [element, element.parentElement, element.parentElement?.parentElement].filter(
      each => each != null,
    )
    const look = () =>
      around
        .map(each => {
          const { outline, boxShadow, borderColor, backgroundColor, opacity, clipPath, top } =
            getComputedStyle(each)
          return [outline, boxShadow, borderColor, backgroundColor, opacity, clipPath, top].join()
        })
        .join()
    const focused = look()
    const { top, bottom, left, right } = element.getBoundingClientRect()
    element.blur()
    const plain = look()
    element.focus()
    return {
      name:
        element === document.body
          ? ''
          : (element.ariaLabel ??
            (element.innerText.trim() || element.title || element.outerHTML.slice(0, 200))),
      isInSight: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
      isMarked: focused !== plain,
    }
  })
  assert.notEqual(name, '', 'the focus is lost')
  assert.ok(isInSight, `the focus is out of view at "${name}"`)
  assert.ok(isMarked, `the focus is not visible at "${name}"`)
  return name
}
