import { spawn } from 'node:child_process'
import type { Environment } from '../terminal/output.ts'

const programs: Partial<Record<NodeJS.Platform, string>> = { linux: 'xdg-open', darwin: 'open' }

/** Opens a URL in the browser, if there is one. Failures are ignored. */
export function openBrowser(address: string, env: Environment, platform = process.platform): void {
  const program = programs[platform]
  // Without a display, some systems would start a text browser in this terminal.
  const hasScreen = platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  if (program === undefined || !hasScreen) return
  const child = spawn(program, [address], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
