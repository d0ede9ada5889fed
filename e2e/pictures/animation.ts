import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import type { Room } from '../web/app/room.ts'
import { sendPrompt, transcript } from '../web/app/steps.ts'

const size = { width: 1000, height: 600 }
const barHeight = 44

interface Frame {
  readonly picture: Buffer
  readonly caption: string
  /** How long it is shown, in hundredths of a second. */
  readonly delay: number
}

/**
 * Records how the server is killed in the middle of an answer and comes back, as a GIF. The session must wait for the approval
 * of its last command.
 */
export async function recordKill(browser: Browser, room: Room, session: string, to: string): Promise<void> {
  const page = await room.open(`/s/${session}`, { colorScheme: 'dark', viewport: size })
  const film = startFilm(page)
  film.caption = 'Claude Code asks to run a command'
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  film.caption = 'It answers …'
  await transcript(page).getByText('The tax is now computed').waitFor()
  await sleep(1800)
  film.caption = `$ kill -9 ${room.server.child.pid}`
  await room.kill()
  await page.getByText('Messages you send now').waitFor()
  await sleep(1800)
  film.caption = '$ dragoman'
  await room.start()
  await page.getByText('Messages you send now').waitFor({ state: 'detached' })
  film.caption = 'Every word that was on the screen is still there'
  await sleep(2500)
  await sendPrompt(page, 'Go on')
  film.caption = 'Claude Code resumes its session'
  await transcript(page).getByText('Shall I make it?').waitFor()
  await sleep(1200)
  const frames = await film.end()
  await page.close()
  writeGif(await withCaptions(browser, frames), to)
}

/** Takes pictures of a page until it is ended. Equal pictures become one frame. */
function startFilm(page: Page): { caption: string; end(): Promise<readonly Frame[]> } {
  const frames: Frame[] = []
  const over = new AbortController()
  const film = { caption: '', end }
  const taking = (async () => {
    let before = performance.now()
    while (!over.signal.aborted) {
      const { caption } = film
      const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
      const now = performance.now()
      const delay = Math.round((now - before) / 10)
      before = now
      const last = frames.at(-1)
      if (last !== undefined && last.caption === caption && last.picture.equals(picture))
        frames[frames.length - 1] = { ...last, delay: last.delay + delay }
      else frames.push({ picture, caption, delay })
      await sleep(80)
    }
  })()
  async function end() {
    over.abort()
    await taking
    return frames
  }
  return film
}

/** Draws each frame with its caption below it. */
async function withCaptions(browser: Browser, frames: readonly Frame[]): Promise<readonly Frame[]> {
  const page = await browser.newPage({
    viewport: { width: size.width, height: size.height + barHeight },
  })
  await page.setContent(
    `<style>body{margin:0;background:#111}img{display:block}
     p{margin:0;padding:0 16px;font:16px/${barHeight}px monospace;color:#eee;white-space:pre}</style><img><p></p>`,
  )
  const drawn: Frame[] = []
  for (const { picture, caption, delay } of frames) {
    await page.locator('p').evaluate((line, text) => void (line.textContent = text), caption)
    await page.locator('img').evaluate(
      (image, address) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        image.addEventListener('load', () => resolve(), { once: true })
        image.setAttribute('src', address)
        return promise
      },
      `data:image/png;base64,${picture.toString('base64')}`,
    )
    drawn.push({ picture: await page.screenshot(), caption, delay })
  }
  await page.close()
  return drawn
}

/** ImageMagick. Only the pictures of the documents need it. */
const convert = '/usr/bin/convert'
/** A pause of the machine is not shown for longer than that. */
const longest = 200

/** Writes frames as a GIF that repeats. Needs ImageMagick. */
function writeGif(frames: readonly Frame[], to: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-film-'))
  try {
    const pictures = frames.flatMap(({ picture, delay }, index) => {
      const file = join(folder, `${String(index).padStart(4, '0')}.png`)
      writeFileSync(file, picture)
      return ['-delay', String(Math.min(longest, Math.max(4, delay))), file]
    })
    const options = ['-loop', '0', '-dither', 'None', '-colors', '64', '-layers', 'Optimize']
    const { status, stderr, error } = spawnSync(convert, [...pictures, ...options, to], {
      encoding: 'utf8',
    })
    if (status === 0) return
    throw new Error(
      `The animation needs ImageMagick (apt-get install imagemagick): ${error?.message ?? stderr}`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
