import { chromium, type Browser } from 'playwright-core'
import { openRoom, type Room } from '../../e2e/web/app/room.ts'
import { buildApp } from '../../e2e/web/build-app.ts'
import { findChromium } from '../../e2e/web/find-chromium.ts'

/** A browser and a server with the app as it is built now. */
export interface Stage extends AsyncDisposable {
  readonly browser: Browser
  readonly room: Room
}

/** Opens a stage; the scripted agent speaks at the pace of its script. */
export async function openStage(): Promise<Stage> {
  buildApp()
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--enable-precise-memory-info',
    ],
  })
  const room = await openRoom(browser)
  return {
    browser,
    room,
    async [Symbol.asyncDispose]() {
      await room[Symbol.asyncDispose]()
      await browser.close()
    },
  }
}
