import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { shownTalk, tall, talkOf, until, untilSame } from './looking.ts'
import type { Room } from './room.ts'
import type { Scenarios } from './scenario.ts'
import { messageBox, newSession, sendPrompt, transcript, untilIdle } from './steps.ts'

/** One red dot. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** Gives a page a file as if the user pasted it into the field or dropped it on the page. */
const give = (page: Page, how: 'paste' | 'drop', name: string, type: string, base64: string) =>
  page.evaluate(
    given => {
      const content = Uint8Array.from(atob(given.base64), letter => letter.codePointAt(0) ?? 0)
      const data = new DataTransfer()
      data.items.add(new File([content], given.name, { type: given.type }))
      const manner = { bubbles: true, cancelable: true }
      const target = document.activeElement ?? document.body
      if (given.how === 'paste')
        target.dispatchEvent(new ClipboardEvent('paste', { ...manner, clipboardData: data }))
      else
        for (const kind of ['dragover', 'drop'])
          document.body.dispatchEvent(new DragEvent(kind, { ...manner, dataTransfer: data }))
    },
    { how, name, type, base64 },
  )

async function pick(
  page: Page,
  ...files: readonly (string | { name: string; mimeType: string; buffer: Buffer })[]
) {
  const asked = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await asked).setFiles([...files] as string[])
}

const attached = (page: Page) => page.getByRole('list', { name: 'Attachments' })

/** The files of the prompts that a server has. */
async function savedFiles({ client }: Room, session: string) {
  const { messages } = await client.call('listMessages', { params: { session } })
  return messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'file' ? [[part.filename, part.mediaType, part.url]] : [])),
  )
}

const untilDraft = (page: Page, words: string) =>
  until(`the draft is “${words}”`, async () => (await messageBox(page).inputValue()) === words)

/** Writing to an agent. */
export const composing: Scenarios = {
  'prompts are queued while the agent runs: they are listed, edited, removed, and run in order': {
    pace: '0',
    async play(room) {
      const page = await room.open('/', tall)
      const session = await newSession(page)
      await sendPrompt(page, 'a hang')
      await page.getByRole('button', { name: 'Stop' }).waitFor()
      const waiting = page.getByRole('region', { name: 'Queued prompts' }).getByRole('listitem')
      for (const words of ['one', 'two', 'three']) {
        await sendPrompt(page, words)
        await waiting.filter({ hasText: words }).waitFor()
      }
      await waiting.filter({ hasText: 'two' }).getByRole('button', { name: 'Remove this prompt' }).click()
      await waiting.filter({ hasText: 'two' }).waitFor({ state: 'detached' })
      await page.getByText('moves it to the end of the queue').waitFor()
      await waiting.filter({ hasText: 'one' }).getByRole('button', { name: 'Edit this prompt' }).click()
      await until(
        'the prompt is back in the field',
        async () => (await messageBox(page).inputValue()) === 'one',
      )
      await sendPrompt(page, 'one, but later')
      await waiting.filter({ hasText: 'one, but later' }).waitFor()
      await page.reload()
      await waiting.nth(1).waitFor()
      assert.deepEqual(
        (await waiting.allInnerTexts()).map(text => text.replace(/^Queued\s*/, '').trim()),
        ['three', 'one, but later'],
      )
      await page.getByRole('button', { name: 'Stop' }).click()
      await transcript(page).getByText('I understood “one, but later”').waitFor()
      await waiting.first().waitFor({ state: 'detached' })
      await untilIdle(room, session)
      await untilSame(room, session, page)
      assert.deepEqual((await shownTalk(page)).asked, ['a hang', 'three', 'one, but later'])
    },
  },
  'a draft is kept for each session, through a reload and until it is sent': {
    pace: '0',
    async play(room) {
      const page = await room.open()
      const first = await newSession(page)
      await messageBox(page).fill('half a thought\non two lines')
      const second = await newSession(page)
      await untilDraft(page, '')
      await messageBox(page).fill('another thought')
      await messageBox(page).focus()
      await give(page, 'paste', 'lost.png', 'image/png', dot)
      await attached(page).getByText('lost.png').waitFor()
      await page.reload()
      await untilDraft(page, 'another thought')
      await page.getByText('Not saved with this draft: lost.png. Attach it again.').waitFor()
      await page.goto(`${room.server.url}/s/${first}`)
      await untilDraft(page, 'half a thought\non two lines')
      await page.getByRole('button', { name: 'Send' }).click()
      await untilDraft(page, '')
      await untilIdle(room, first)
      await page.reload()
      await untilDraft(page, '')
      await page.goto(`${room.server.url}/s/${second}`)
      await untilDraft(page, 'another thought')
    },
  },
  'the arrow keys restore earlier prompts, and the draft is not lost': {
    pace: '0',
    async play(room) {
      const session = await talkOf(room, 'the first', 'the second')
      await untilIdle(room, session)
      const page = await room.open(`/s/${session}`)
      await transcript(page).getByText('I understood “the second”').waitFor()
      const field = messageBox(page)
      await field.fill('begun')
      const after = async (key: string) => {
        await field.press(key)
        return await field.inputValue()
      }
      const seen = []
      for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown'])
        seen.push(await after(key))
      assert.deepEqual(seen, ['the second', 'the first', 'the first', 'the second', 'begun'])
      await field.press('ArrowUp')
      await field.press('Enter')
      const asked = ['the first', 'the second', 'the second']
      await until('the prompt was sent again', async () =>
        isDeepStrictEqual((await shownTalk(page)).asked, asked),
      )
    },
  },
  'files are attached by the picker, by pasting and by dropping, and arrive unchanged': {
    pace: '0',
    async play(room) {
      const page = await room.open('/', tall)
      const session = await newSession(page)
      await pick(
        page,
        { name: 'picked.txt', mimeType: 'text/plain', buffer: Buffer.from('picked <b>words</b>') },
        { name: 'unwanted.txt', mimeType: 'text/plain', buffer: Buffer.from('no') },
      )
      await attached(page).getByText('picked.txt').waitFor()
      await messageBox(page).focus()
      await give(page, 'paste', 'pasted.png', 'image/png', dot)
      await attached(page).getByText('pasted.png').waitFor()
      await give(page, 'drop', 'dropped.bin', 'application/octet-stream', 'AP8B')
      await attached(page).getByText('dropped.bin').waitFor()
      await page.getByRole('button', { name: 'Remove unwanted.txt' }).click()
      const picture = attached(page).getByRole('listitem').filter({ hasText: 'pasted.png' }).locator('img')
      await until('the picture is shown', () =>
        picture.evaluate(image => (image as HTMLImageElement).naturalWidth === 1),
      )
      await sendPrompt(page, 'look at these')
      await transcript(page).getByText('I understood “look at these” and 3 files').waitFor()
      await transcript(page).getByRole('img', { name: 'pasted.png' }).waitFor()
      await transcript(page).getByRole('link', { name: 'picked.txt' }).waitFor()
      const picked = Buffer.from('picked <b>words</b>').toString('base64')
      assert.deepEqual(await savedFiles(room, session), [
        ['picked.txt', 'text/plain', `data:text/plain;base64,${picked}`],
        ['pasted.png', 'image/png', `data:image/png;base64,${dot}`],
        ['dropped.bin', 'application/octet-stream', 'data:application/octet-stream;base64,AP8B'],
      ])
    },
  },
  'a file that is too large is refused with a message, and the others are attached': {
    pace: '0',
    async play(room) {
      const page = await room.open()
      const session = await newSession(page)
      const [large, small] = [join(room.home, 'large.bin'), join(room.home, 'small.bin')]
      writeFileSync(large, Buffer.alloc(13 << 20))
      writeFileSync(small, Buffer.from([0, 1, 2]))
      await pick(page, large, small)
      await page
        .getByText(/“large\.bin” is 13\.0 MiB, and the limit is .* Put it in the working folder/)
        .waitFor()
      await attached(page).getByText('small.bin').waitFor()
      assert.equal(await attached(page).getByRole('listitem').count(), 1)
      await page.getByRole('button', { name: 'Send' }).click()
      await untilIdle(room, session)
      assert.deepEqual(
        (await savedFiles(room, session)).map(([name]) => name),
        ['small.bin'],
      )
    },
  },
}
