/** Names that pynmea2 1.15.0 gives the cells of sentences, in their order. */
const names: Readonly<Record<string, string>> = {
  AAM: 'arrival_circ_entered perp_passed circle_rad circle_rad_unit waypoint_id',
  APB: 'status_gen status_cycle_lock cross_track_err_mag dir_steer cross_track_unit arr_circle_entered perp_passed bearing_to_dest bearing_type dest_waypoint_id bearing_pres_dest bearing_pres_dest_type heading_to_dest heading_to_dest_type',
  BOD: 'bearing_t bearing_t_type bearing_mag bearing_mag_type dest start',
  BWC: 'timestamp lat_next lat_next_direction lon_next lon_next_direction true_track true_track_sym mag_track mag_sym range_next range_unit waypoint_name',
  BWR: 'timestamp lat_next lat_next_direction lon_next lon_next_direction true_track true_track_sym mag_track mag_sym range_next range_unit waypoint_name',
  DBT: 'depth_feet unit_feet depth_meters unit_meters depth_fathoms unit_fathoms',
  DPT: 'depth offset range',
  GBS: 'timestamp lat_err lon_err alt_err sat_prn_num_f pro_miss est_bias est_bias_dev',
  GGA: 'timestamp lat lat_dir lon lon_dir gps_qual num_sats horizontal_dil altitude altitude_units geo_sep geo_sep_units age_gps_data ref_station_id',
  GLL: 'lat lat_dir lon lon_dir timestamp status faa_mode',
  GNS: 'timestamp lat lat_dir lon lon_dir mode_indicator num_sats hdop altitude geo_sep age_gps_data diferential',
  GSA: 'mode mode_fix_type sv_id01 sv_id02 sv_id03 sv_id04 sv_id05 sv_id06 sv_id07 sv_id08 sv_id09 sv_id10 sv_id11 sv_id12 pdop hdop vdop',
  GST: 'timestamp rms std_dev_major std_dev_minor orientation std_dev_latitude std_dev_longitude std_dev_altitude',
  GSV: 'num_messages msg_num num_sv_in_view sv_prn_num_1 elevation_deg_1 azimuth_1 snr_1 sv_prn_num_2 elevation_deg_2 azimuth_2 snr_2 sv_prn_num_3 elevation_deg_3 azimuth_3 snr_3 sv_prn_num_4 elevation_deg_4 azimuth_4 snr_4',
  HDG: 'heading deviation dev_dir variation var_dir',
  HDM: 'heading magnetic',
  HDT: 'heading hdg_true',
  HSC: 'heading_true true heading_magnetic magnetic',
  MTW: 'temperature units',
  MWD: 'direction_true true direction_magnetic magnetic wind_speed_knots knots wind_speed_meters meters',
  MWV: 'wind_angle reference wind_speed wind_speed_units status',
  RMB: 'status cross_track_error cte_correction_dir origin_waypoint_id dest_waypoint_id dest_lat dest_lat_dir dest_lon dest_lon_dir dest_range dest_true_bearing dest_velocity arrival_alarm',
  RMC: 'timestamp status lat lat_dir lon lon_dir spd_over_grnd true_course datestamp mag_variation mag_var_dir',
  ROT: 'rate_of_turn status',
  RPM: 'source engine_no speed pitch status',
  RSA: 'rsa_starboard rsa_starboard_status rsa_port rsa_port_status',
  RTE: 'num_in_seq sen_num start_type active_route_id',
  TXT: 'num_msg msg_num msg_type text',
  VBW: 'lon_water_spd trans_water_spd data_validity_water_spd lon_grnd_spd trans_grnd_spd data_validity_grnd_spd',
  VHW: 'heading_true true heading_magnetic magnetic water_speed_knots knots water_speed_km kilometers',
  VLW: 'trip_distance trip_distance_miles trip_distance_reset trip_distance_reset_miles',
  VTG: 'true_track true_track_sym mag_track mag_track_sym spd_over_grnd_kts spd_over_grnd_kts_sym spd_over_grnd_kmph spd_over_grnd_kmph_sym faa_mode',
  VWR: 'deg_r l_r wind_speed_kn unit_knots wind_speed_ms unit_ms wind_speed_km unit_km',
  WPL: 'lat lat_dir lon lon_dir waypoint_id',
  XDR: 'type value units id',
  XTE: 'warning_flag lock_flag cross_track_err_dist correction_dir dist_units',
  ZDA: 'timestamp day month year local_zone local_zone_minutes',
  PUBX: 'message timestamp lat lat_dir lon lon_dir alt_ref nav_stat h_acc v_acc sog cog v_vel diff_age hdop vdop tdop num_svs reserved',
  'PUBX,04': 'message time date utc_tow utc_wk leap_sec clk_bias clk_drift tp_gran',
  PGRME: 'hpe hpe_unit vpe vpe_unit osepe osepe_unit',
};

/** Returns the number of the cell that pynmea2 gives this name, from 1; 0: none. */
export function cellNumber(type: string, name: string): number {
  const lists = [names[type], names[`${type},04`]].map((list) => list?.split(' ') ?? []);
  return Math.max(...lists.map((list) => list.indexOf(name))) + 1;
}
