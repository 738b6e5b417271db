/**
 * Fourier transform of real samples, of any number. Numbers whose prime factors are small are taken apart by them (Stockham's
 * autosort form of mixed radix); all others go through a convolution (Bluestein 1970, "A linear filtering approach to the computation
 * of discrete Fourier transform"). Nothing is padded or resampled: the lines are those of the plain sum.
 */

/** Largest prime factor that is taken apart. With a larger one, Bluestein's way is faster. */
const MAX_FACTOR = 13;

/** Complex numbers, by column. */
export interface Complex {
  readonly real: Float64Array<ArrayBuffer>;
  readonly imaginary: Float64Array<ArrayBuffer>;
}

const complex = (length: number): Complex => ({ real: new Float64Array(length), imaginary: new Float64Array(length) });

/**
 * Returns X(k) = Σ x(j)·exp(−2πi·jk/n) of n real samples, for k from 0 to ⌊n/2⌋. The other half is its mirror image.
 *
 * @param samples At least one.
 */
export function realFourier(samples: Float64Array): Complex {
  const size = samples.length;
  const lines = Math.floor(size / 2) + 1;
  if (size % 2 === 1) {
    const { real, imaginary } = fourier({ real: Float64Array.from(samples), imaginary: new Float64Array(size) });
    return { real: real.slice(0, lines), imaginary: imaginary.slice(0, lines) };
  }
  // Even and odd samples are one complex series of half the length.
  const half = size / 2;
  const packed = complex(half);
  for (let index = 0; index < half; index++) {
    packed.real[index] = samples[2 * index] as number;
    packed.imaginary[index] = samples[2 * index + 1] as number;
  }
  const { real, imaginary } = fourier(packed);
  const found = complex(lines);
  for (let line = 0; line < lines; line++) {
    const upper = line % half;
    const lower = (half - line) % half;
    const ur = real[upper] as number;
    const ui = imaginary[upper] as number;
    const lr = real[lower] as number;
    const li = imaginary[lower] as number;
    const angle = (-2 * Math.PI * line) / size;
    const cosine = Math.cos(angle);
    const sine = Math.sin(angle);
    const oddReal = (ui + li) / 2;
    const oddImaginary = (lr - ur) / 2;
    found.real[line] = (ur + lr) / 2 + oddReal * cosine - oddImaginary * sine;
    found.imaginary[line] = (ui - li) / 2 + oddReal * sine + oddImaginary * cosine;
  }
  return found;
}

/** Returns the transform of complex samples, as many as there are. The samples are overwritten. */
export function fourier(samples: Complex): Complex {
  const factors = factorsOf(samples.real.length);
  return factors === null ? bluestein(samples) : stockham(samples, factors, rootsOf(samples.real.length));
}

/** Returns the next length, from this one on, that is a power of two, or three or five times one. */
export function quickLength(least: number): number {
  const power = (factor: number) => factor * 2 ** Math.max(0, Math.ceil(Math.log2(least / factor)));
  return Math.min(power(1), power(3), power(5));
}

/** Returns the factors of a length, largest strides last; null if one of them is a large prime. */
function factorsOf(length: number): readonly number[] | null {
  const factors: number[] = [];
  let left = length;
  for (const factor of [4, 2, 3, 5, 7, 11, MAX_FACTOR]) {
    while (left % factor === 0) {
      factors.push(factor);
      left /= factor;
    }
  }
  return left === 1 ? factors : null;
}

/** Returns cosine and negative sine of each nth part of a turn. */
function rootsOf(size: number): Complex {
  const roots = complex(size);
  for (let index = 0; 2 * index <= size; index++) {
    const cosine = Math.cos((2 * Math.PI * index) / size);
    const sine = Math.sin((2 * Math.PI * index) / size);
    const mirrored = (size - index) % size;
    roots.real[mirrored] = cosine;
    roots.imaginary[mirrored] = sine;
    roots.real[index] = cosine;
    roots.imaginary[index] = -sine;
  }
  return roots;
}

function stockham(samples: Complex, factors: readonly number[], roots: Complex): Complex {
  const size = samples.real.length;
  let from = samples;
  let to = complex(size);
  let length = size;
  let stride = 1;
  for (const factor of factors) {
    const pass = factor === 4 ? radix4 : factor === 2 ? radix2 : radixOther;
    pass(from, to, roots, length / factor, stride, factor);
    [from, to] = [to, from];
    length /= factor;
    stride *= factor;
  }
  return from;
}

/**
 * One pass of Stockham's form. It reads `from` at q + stride·(p + parts·k) and writes `to` at q + stride·(factor·p + j), turned by the
 * root of p·j.
 *
 * @param parts Length of this pass divided by its factor.
 */
type Pass = (from: Complex, to: Complex, roots: Complex, parts: number, stride: number, factor: number) => void;

const radix2: Pass = (from, to, roots, parts, stride) => {
  const { real: xr, imaginary: xi } = from;
  const { real: yr, imaginary: yi } = to;
  for (let p = 0; p < parts; p++) {
    const wr = roots.real[p * stride] as number;
    const wi = roots.imaginary[p * stride] as number;
    for (let q = 0; q < stride; q++) {
      const a = q + stride * p;
      const b = a + stride * parts;
      const out = q + stride * 2 * p;
      const dr = (xr[a] as number) - (xr[b] as number);
      const di = (xi[a] as number) - (xi[b] as number);
      yr[out] = (xr[a] as number) + (xr[b] as number);
      yi[out] = (xi[a] as number) + (xi[b] as number);
      yr[out + stride] = dr * wr - di * wi;
      yi[out + stride] = dr * wi + di * wr;
    }
  }
};

const radix4: Pass = (from, to, roots, parts, stride) => {
  const { real: xr, imaginary: xi } = from;
  const { real: yr, imaginary: yi } = to;
  const step = stride * parts;
  for (let p = 0; p < parts; p++) {
    const w1r = roots.real[p * stride] as number;
    const w1i = roots.imaginary[p * stride] as number;
    const w2r = roots.real[2 * p * stride] as number;
    const w2i = roots.imaginary[2 * p * stride] as number;
    const w3r = roots.real[3 * p * stride] as number;
    const w3i = roots.imaginary[3 * p * stride] as number;
    for (let q = 0; q < stride; q++) {
      const a = q + stride * p;
      const out = q + stride * 4 * p;
      const ar = xr[a] as number;
      const ai = xi[a] as number;
      const br = xr[a + step] as number;
      const bi = xi[a + step] as number;
      const cr = xr[a + 2 * step] as number;
      const ci = xi[a + 2 * step] as number;
      const dr = xr[a + 3 * step] as number;
      const di = xi[a + 3 * step] as number;
      const sr = ar + cr;
      const si = ai + ci;
      const tr = ar - cr;
      const ti = ai - ci;
      const ur = br + dr;
      const ui = bi + di;
      // The difference of the odd ones, turned by a quarter.
      const vr = bi - di;
      const vi = dr - br;
      yr[out] = sr + ur;
      yi[out] = si + ui;
      yr[out + stride] = (tr + vr) * w1r - (ti + vi) * w1i;
      yi[out + stride] = (tr + vr) * w1i + (ti + vi) * w1r;
      yr[out + 2 * stride] = (sr - ur) * w2r - (si - ui) * w2i;
      yi[out + 2 * stride] = (sr - ur) * w2i + (si - ui) * w2r;
      yr[out + 3 * stride] = (tr - vr) * w3r - (ti - vi) * w3i;
      yi[out + 3 * stride] = (tr - vr) * w3i + (ti - vi) * w3r;
    }
  }
};

/** Any small factor, by the plain sum. */
const radixOther: Pass = (from, to, roots, parts, stride, factor) => {
  const { real: xr, imaginary: xi } = from;
  const { real: yr, imaginary: yi } = to;
  const small = rootsOf(factor);
  const size = parts * stride * factor;
  const step = stride * parts;
  for (let p = 0; p < parts; p++) {
    for (let j = 0; j < factor; j++) {
      const wr = roots.real[(p * j * stride) % size] as number;
      const wi = roots.imaginary[(p * j * stride) % size] as number;
      for (let q = 0; q < stride; q++) {
        const a = q + stride * p;
        let sr = 0;
        let si = 0;
        for (let k = 0, at = 0; k < factor; k++) {
          const cosine = small.real[at] as number;
          const sine = small.imaginary[at] as number;
          const re = xr[a + k * step] as number;
          const im = xi[a + k * step] as number;
          sr += re * cosine - im * sine;
          si += re * sine + im * cosine;
          at += j;
          at = at >= factor ? at - factor : at;
        }
        const out = q + stride * (factor * p + j);
        yr[out] = sr * wr - si * wi;
        yi[out] = sr * wi + si * wr;
      }
    }
  }
};

/** Transforms a length with a large prime factor: jk = (j² + k² − (k − j)²) / 2 makes a convolution of the sum. */
function bluestein({ real, imaginary }: Complex): Complex {
  const size = real.length;
  const padded = quickLength(2 * size - 1);
  const factors = factorsOf(padded) as readonly number[];
  const roots = rootsOf(padded);
  const chirp = complex(size);
  for (let index = 0; index < size; index++) {
    // The square is reduced first, because a large angle loses digits. Below 2²⁶ samples it is exact.
    const angle = (Math.PI * ((index * index) % (2 * size))) / size;
    chirp.real[index] = Math.cos(angle);
    chirp.imaginary[index] = Math.sin(angle);
  }
  const turned = complex(padded);
  const filter = complex(padded);
  for (let index = 0; index < size; index++) {
    const cosine = chirp.real[index] as number;
    const sine = chirp.imaginary[index] as number;
    const re = real[index] as number;
    const im = imaginary[index] as number;
    turned.real[index] = re * cosine + im * sine;
    turned.imaginary[index] = im * cosine - re * sine;
    for (const at of index === 0 ? [0] : [index, padded - index]) {
      filter.real[at] = cosine;
      filter.imaginary[at] = sine;
    }
  }
  const one = stockham(turned, factors, roots);
  const other = stockham(filter, factors, roots);
  // The conjugate of a transform goes back.
  const product = complex(padded);
  for (let index = 0; index < padded; index++) {
    const ar = one.real[index] as number;
    const ai = one.imaginary[index] as number;
    const br = other.real[index] as number;
    const bi = other.imaginary[index] as number;
    product.real[index] = ar * br - ai * bi;
    product.imaginary[index] = -(ar * bi + ai * br);
  }
  const back = stockham(product, factors, roots);
  const found = complex(size);
  for (let index = 0; index < size; index++) {
    const cosine = chirp.real[index] as number;
    const sine = chirp.imaginary[index] as number;
    const re = (back.real[index] as number) / padded;
    const im = -(back.imaginary[index] as number) / padded;
    found.real[index] = re * cosine + im * sine;
    found.imaginary[index] = im * cosine - re * sine;
  }
  return found;
}
