import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * The path of Chromium; if there is none, installs Debian's where allowed. Throws an error that says what is
 * missing.
 */
export function findChromium(): string {
  const found = [process.env['CHROMIUM'] ?? '', ...places].find(path => path !== '' && existsSync(path))
  if (found !== undefined) return found
  console.log('There is no Chromium here; installing the one of this system …')
  spawnSync('apt-get', ['update'], { stdio: 'ignore' })
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { stdio: 'ignore' })
  const installed = places.find(path => existsSync(path))
  if (installed !== undefined) return installed
  throw new Error('A Chromium is needed: install it (apt-get install chromium), or set CHROMIUM to its path.')
}
