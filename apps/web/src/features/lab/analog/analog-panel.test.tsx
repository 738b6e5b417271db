import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { addBrowserParts } from '../../../workbench/testing/browser-parts.ts';
import { addSamples, forgetSamples } from '../store/adc-samples.ts';
import { openBench } from '../testing/fake-lab.ts';
import { AnalogPanel } from './analog-panel.tsx';

addBrowserParts();

afterEach(() => {
  cleanup();
  forgetSamples();
});

it('shows a voltage for as long as the pin is sampled', () => {
  const sampled = { owned: [{ gpio: 34, owner: 'adc', label: 'ADC', use: null }] } as const;
  openBench(sampled);
  render(<AnalogPanel />);
  const pin = () => screen.getByRole('button', { name: /^GPIO 34/ }).textContent;
  expect(pin()).toBe('GPIO 34 ');
  act(() => addSamples([{ gpio: 34, at: 1, raw: 2_011, volts: 1.6 }]));
  expect(pin()).toBe('GPIO 34 2011 ≈ 1.60 V');
  act(() => openBench());
  expect(pin()).toBe('GPIO 34 ');
});
