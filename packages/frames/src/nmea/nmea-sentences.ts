/**
 * Sentences of NMEA 0183 version 4.11 by meaning, with the names of their cells in their order. `cell-readings.ts` says
 * how a cell of that name is read. Sentences that are missing here are shown by their form.
 */

/** A sentence: its cells in their order, and the fields that its row shows. */
export interface SentenceRule {
  readonly name: string;
  /** `(…)` is a group that repeats as often as it fits; its cells are numbered from 1. */
  readonly cells: string;
  readonly row: string;
}

/** Sentences by type. Those of u-blox by their address and first cell. */
export const sentenceRules: Readonly<Record<string, SentenceRule>> = {
  GGA: {
    name: 'position',
    cells: 'time lat lat_dir lon lon_dir fix sat hdop altitude altitude_unit geoid geoid_unit age station',
    row: 'lat lon fix sat hdop altitude',
  },
  GNS: {
    name: 'position, all systems',
    cells: 'time lat lat_dir lon lon_dir modes sat hdop altitude geoid age station nav_status',
    row: 'lat lon modes sat hdop altitude',
  },
  RMC: {
    name: 'recommended minimum',
    cells: 'time status lat lat_dir lon lon_dir speed course date variation variation_dir mode nav_status',
    row: 'status lat lon speed course date mode',
  },
  GLL: {
    name: 'latitude and longitude',
    cells: 'lat lat_dir lon lon_dir time status mode',
    row: 'lat lon status mode',
  },
  GSA: {
    name: 'satellites used',
    cells: 'selection dimensions sv1 sv2 sv3 sv4 sv5 sv6 sv7 sv8 sv9 sv10 sv11 sv12 pdop hdop vdop system',
    row: 'dimensions pdop hdop vdop',
  },
  GSV: { name: 'satellites in view', cells: 'parts part in_view (prn elevation azimuth snr) signal', row: '' },
  VTG: {
    name: 'course and speed',
    cells: 'course course_type course_magnetic course_magnetic_type speed speed_unit speed_kmh speed_kmh_unit mode',
    row: 'course speed speed_kmh mode',
  },
  ZDA: {
    name: 'time and date',
    cells: 'time day month year zone_hours zone_minutes',
    row: 'year month day time',
  },
  GST: {
    name: 'position errors',
    cells: 'time rms sigma_major sigma_minor orientation sigma_lat sigma_lon sigma_altitude',
    row: 'rms sigma_lat sigma_lon sigma_altitude',
  },
  GBS: {
    name: 'fault detection',
    cells: 'time error_lat error_lon error_altitude failed probability bias sigma_bias system signal',
    row: 'error_lat error_lon error_altitude failed',
  },
  GRS: {
    name: 'range residuals',
    cells:
      'time used residual1 residual2 residual3 residual4 residual5 residual6 residual7 residual8 residual9 residual10 residual11 residual12 system signal',
    row: 'time used',
  },
  HDT: { name: 'true heading', cells: 'heading heading_type', row: 'heading' },
  HDG: {
    name: 'magnetic heading',
    cells: 'heading deviation deviation_dir variation variation_dir',
    row: 'heading deviation variation',
  },
  HDM: { name: 'magnetic heading', cells: 'heading heading_type', row: 'heading' },
  THS: { name: 'true heading', cells: 'heading heading_mode', row: 'heading heading_mode' },
  ROT: { name: 'rate of turn', cells: 'rate_of_turn status', row: 'rate_of_turn status' },
  HSC: {
    name: 'heading to steer',
    cells: 'heading heading_type heading_magnetic heading_magnetic_type',
    row: 'heading heading_magnetic',
  },
  DBT: {
    name: 'depth below transducer',
    cells: 'depth_ft depth_ft_unit depth depth_unit depth_fathoms depth_fathoms_unit',
    row: 'depth',
  },
  DBS: {
    name: 'depth below surface',
    cells: 'depth_ft depth_ft_unit depth depth_unit depth_fathoms depth_fathoms_unit',
    row: 'depth',
  },
  DBK: {
    name: 'depth below keel',
    cells: 'depth_ft depth_ft_unit depth depth_unit depth_fathoms depth_fathoms_unit',
    row: 'depth',
  },
  DPT: { name: 'depth', cells: 'depth offset range', row: 'depth offset' },
  MTW: { name: 'water temperature', cells: 'temperature temperature_unit', row: 'temperature' },
  MWV: {
    name: 'wind',
    cells: 'wind_angle reference wind_speed speed_unit status',
    row: 'wind_angle reference wind_speed status',
  },
  MWD: {
    name: 'wind over ground',
    cells:
      'wind_direction wind_direction_type wind_direction_magnetic wind_direction_magnetic_type wind_speed speed_unit speed_ms speed_ms_unit',
    row: 'wind_direction wind_speed',
  },
  VWR: {
    name: 'relative wind',
    cells: 'wind_angle wind_side wind_speed speed_unit speed_ms speed_ms_unit speed_kmh speed_kmh_unit',
    row: 'wind_angle wind_side wind_speed',
  },
  VHW: {
    name: 'water speed and heading',
    cells:
      'heading heading_type heading_magnetic heading_magnetic_type water_speed speed_unit water_speed_kmh speed_kmh_unit',
    row: 'heading heading_magnetic water_speed water_speed_kmh',
  },
  VBW: {
    name: 'ground and water speed',
    cells:
      'water_ahead water_across water_status ground_ahead ground_across ground_status stern_water stern_water_status stern_ground stern_ground_status',
    row: 'water_ahead water_across ground_ahead ground_across',
  },
  VLW: {
    name: 'distance through water',
    cells: 'distance distance_unit trip trip_unit ground_distance ground_distance_unit ground_trip ground_trip_unit',
    row: 'distance trip',
  },
  RMB: {
    name: 'way to the waypoint',
    cells:
      'status cross_track steer origin destination waypoint_lat waypoint_lat_dir waypoint_lon waypoint_lon_dir distance bearing closing arrival mode',
    row: 'destination distance bearing cross_track steer arrival',
  },
  APB: {
    name: 'autopilot',
    cells:
      'warning cycle_lock cross_track steer cross_track_unit arrival perpendicular bearing_origin bearing_origin_type destination bearing bearing_type steer_heading steer_heading_type mode',
    row: 'cross_track steer destination bearing steer_heading arrival',
  },
  XTE: {
    name: 'cross track error',
    cells: 'warning cycle_lock cross_track steer cross_track_unit mode',
    row: 'cross_track steer',
  },
  BWC: {
    name: 'bearing and distance to waypoint',
    cells:
      'time waypoint_lat waypoint_lat_dir waypoint_lon waypoint_lon_dir bearing bearing_type bearing_magnetic bearing_magnetic_type distance distance_unit waypoint mode',
    row: 'waypoint distance bearing',
  },
  BWR: {
    name: 'bearing and distance to waypoint, rhumb line',
    cells:
      'time waypoint_lat waypoint_lat_dir waypoint_lon waypoint_lon_dir bearing bearing_type bearing_magnetic bearing_magnetic_type distance distance_unit waypoint mode',
    row: 'waypoint distance bearing',
  },
  BOD: {
    name: 'bearing from origin to destination',
    cells: 'bearing bearing_type bearing_magnetic bearing_magnetic_type destination origin',
    row: 'origin destination bearing',
  },
  AAM: {
    name: 'waypoint arrival',
    cells: 'arrival perpendicular distance distance_unit waypoint',
    row: 'waypoint arrival perpendicular',
  },
  WPL: {
    name: 'waypoint',
    cells: 'waypoint_lat waypoint_lat_dir waypoint_lon waypoint_lon_dir waypoint',
    row: 'waypoint waypoint_lat waypoint_lon',
  },
  RTE: { name: 'route', cells: 'parts part route_kind route (waypoint)', row: 'route part parts' },
  RPM: { name: 'revolutions', cells: 'source number rpm pitch status', row: 'source number rpm pitch status' },
  RSA: {
    name: 'rudder angle',
    cells: 'rudder rudder_status rudder_port rudder_port_status',
    row: 'rudder rudder_port',
  },
  TXT: { name: 'text', cells: 'parts part severity text', row: 'severity text' },
  DTM: {
    name: 'datum',
    cells: 'datum datum_part lat_offset lat_offset_dir lon_offset lon_offset_dir altitude_offset datum_reference',
    row: 'datum datum_reference',
  },
  XDR: {
    name: 'transducer',
    cells: '(transducer measured measured_unit measured_name)',
    row: '',
  },
  VDM: { name: 'AIS', cells: 'parts part sequence channel payload fill', row: '' },
  VDO: { name: 'AIS of the own ship', cells: 'parts part sequence channel payload fill', row: '' },
  'PUBX,00': {
    name: 'u-blox position',
    cells:
      'message_id time lat lat_dir lon lon_dir altitude nav_stat h_accuracy v_accuracy speed_kmh course v_speed age hdop vdop tdop sat reserved reserved2',
    row: 'lat lon nav_stat sat altitude h_accuracy',
  },
  'PUBX,04': {
    name: 'u-blox time',
    cells: 'message_id time date week_time week leap clock_bias clock_drift granularity',
    row: 'date time',
  },
  PGRME: {
    name: 'Garmin position error',
    cells: 'h_accuracy h_accuracy_unit v_accuracy v_accuracy_unit sphere_error sphere_error_unit',
    row: 'h_accuracy v_accuracy sphere_error',
  },
};
