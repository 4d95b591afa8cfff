/** Distances on a sphere of the Earth's mean radius. */

/** Longitude and latitude in degrees. */
export type Point = readonly [number, number];

const EARTH_RADIUS_KM = 6371;

/** Kilometres along the great circle (haversine formula). */
export function distanceKm([longitude1, latitude1]: Point, [longitude2, latitude2]: Point): number {
  const radians = Math.PI / 180;
  const halfLatitude = ((latitude2 - latitude1) * radians) / 2;
  const halfLongitude = ((longitude2 - longitude1) * radians) / 2;
  const a =
    Math.sin(halfLatitude) ** 2 +
    Math.cos(latitude1 * radians) * Math.cos(latitude2 * radians) * Math.sin(halfLongitude) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(a)));
}
