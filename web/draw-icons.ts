import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

// Draws the icons for home screens from icon.svg: `node web/draw-icons.ts`. They reach to the edge, because each system cuts
// its own corners.
const folder = join(import.meta.dirname, 'public')
const picture = readFileSync(join(folder, 'icon.svg'), 'utf8').replace(' rx="112"', '')

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
for (const size of [192, 512]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw}</style>${picture}`)
  writeFileSync(join(folder, `icon-${size}.png`), await page.screenshot())
}
await browser.close()
