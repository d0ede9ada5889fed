/** What a command wrote, and with which code it ended; without one, only that it failed. */
export function withExitCode(output: string, code: number | null): string {
  const ending = code === null ? 'It failed.' : `Exit code ${code}.`
  return output === '' ? ending : `${output}${output.endsWith('\n') ? '' : '\n'}${ending}`
}
