import { defineConfig } from 'vitest/config'
import { doors } from './web/doors.ts'

export default defineConfig({
  resolve: { alias: [...doors] },
  test: {
    include: ['src/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}', 'e2e/**/*.test.ts', 'bench/**/*.test.ts'],
    setupFiles: ['./vitest.setup.ts'],
    // Most tests wait for processes and clocks more than they compute.
    maxWorkers: 3,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})
