/**
 * Messages of UBX, from u-blox's published interface descriptions (M8 protocol 18, F9 HPG 1.32, M10 SPG 5.10), one line
 * each: class, id and name; then the payload.
 *
 * A field is `name:type`, then `/n` (the value is the number divided by n) and `|unit`. `name:n` without a type are n
 * bytes that have no meaning, `name:text n` is text of n bytes. `name*n(…)` is a group that repeats n times, where n is
 * a number, a field before it, or `rest`. `name@bit+bits` are bits of the number before it. A message that has several
 * lengths stands for each, with the length in brackets; a comma and that length end the names of the shorter ones.
 */
export const ubxMessages = `
01 01 NAV-POSECEF   iTOW:u32|ms ecefX:i32/100|m ecefY:i32/100|m ecefZ:i32/100|m pAcc:u32/100|m
01 02 NAV-POSLLH    iTOW:u32|ms lon:i32/10000000|° lat:i32/10000000|° height:i32/1000|m hMSL:i32/1000|m hAcc:u32/1000|m vAcc:u32/1000|m
01 03 NAV-STATUS    iTOW:u32|ms fix:u8 flags:u8 fixstat:u8 flags2:u8 ttff:u32/1000|s msss:u32/1000|s
01 04 NAV-DOP       iTOW:u32|ms gDOP:u16/100 pDOP:u16/100 tDOP:u16/100 vDOP:u16/100 hDOP:u16/100 nDOP:u16/100 eDOP:u16/100
01 05 NAV-ATT       iTOW:u32|ms version:u8 reserved1:3 roll:i32/100000|° pitch:i32/100000|° heading:i32/100000|° accRoll:u32/100000|° accPitch:u32/100000|° accHeading:u32/100000|°
01 06 NAV-SOL       iTOW:u32|ms fTOW:i32|ns week:i16 gpsFix:u8 flags:u8 ecefX:i32/100|m ecefY:i32/100|m ecefZ:i32/100|m pAcc:u32/100|m ecefVX:i32/100|m/s ecefVY:i32/100|m/s ecefVZ:i32/100|m/s sAcc:u32/100|m/s pDOP:u16/100 reserved1:1 numSV:u8 reserved2:4
01 07 NAV-PVT       iTOW:u32|ms year:u16 month:u8 day:u8 hour:u8 min:u8 sec:u8 valid:u8 tAcc:u32|ns nano:i32|ns fixType:u8 flags:u8 carrSoln@6+2 flags2:u8 numSV:u8 lon:i32/10000000|° lat:i32/10000000|° height:i32/1000|m hMSL:i32/1000|m hAcc:u32/1000|m vAcc:u32/1000|m velN:i32/1000|m/s velE:i32/1000|m/s velD:i32/1000|m/s gSpeed:i32/1000|m/s headMot:i32/100000|° sAcc:u32/1000|m/s headAcc:u32/100000|° pDOP:u16/100 flags3:u16 reserved1:4 headVeh:i32/100000|° magDec:i16/100|° magAcc:u16/100|°
01 07 NAV-PVT,84[84] iTOW:u32|ms year:u16 month:u8 day:u8 hour:u8 min:u8 sec:u8 valid:u8 tAcc:u32|ns nano:i32|ns fixType:u8 flags:u8 carrSoln@6+2 flags2:u8 numSV:u8 lon:i32/10000000|° lat:i32/10000000|° height:i32/1000|m hMSL:i32/1000|m hAcc:u32/1000|m vAcc:u32/1000|m velN:i32/1000|m/s velE:i32/1000|m/s velD:i32/1000|m/s gSpeed:i32/1000|m/s headMot:i32/100000|° sAcc:u32/1000|m/s headAcc:u32/100000|° pDOP:u16/100 reserved1:6
01 09 NAV-ODO       version:u8 reserved1:3 iTOW:u32|ms distance:u32|m totalDistance:u32|m distanceStd:u32|m
01 11 NAV-VELECEF   iTOW:u32|ms ecefVX:i32/100|m/s ecefVY:i32/100|m/s ecefVZ:i32/100|m/s sAcc:u32/100|m/s
01 12 NAV-VELNED    iTOW:u32|ms velN:i32/100|m/s velE:i32/100|m/s velD:i32/100|m/s speed:u32/100|m/s gSpeed:u32/100|m/s heading:i32/100000|° sAcc:u32/100|m/s cAcc:u32/100000|°
01 13 NAV-HPPOSECEF version:u8 reserved1:3 iTOW:u32|ms ecefX:i32/100|m ecefY:i32/100|m ecefZ:i32/100|m ecefXHp:i8/10|mm ecefYHp:i8/10|mm ecefZHp:i8/10|mm flags:u8 pAcc:u32/10|mm
01 14 NAV-HPPOSLLH  version:u8 reserved1:2 flags:u8 iTOW:u32|ms lon:i32/10000000|° lat:i32/10000000|° height:i32/1000|m hMSL:i32/1000|m lonHp:i8/1000000000|° latHp:i8/1000000000|° heightHp:i8/10|mm hMSLHp:i8/10|mm hAcc:u32/10000|m vAcc:u32/10000|m
01 20 NAV-TIMEGPS   iTOW:u32|ms fTOW:i32|ns week:i16 leapS:i8|s valid:u8 tAcc:u32|ns
01 21 NAV-TIMEUTC   iTOW:u32|ms tAcc:u32|ns nano:i32|ns year:u16 month:u8 day:u8 hour:u8 min:u8 sec:u8 valid:u8
01 22 NAV-CLOCK     iTOW:u32|ms clkB:i32|ns clkD:i32|ns/s tAcc:u32|ns fAcc:u32|ps/s
01 23 NAV-TIMEGLO   iTOW:u32|ms TOD:u32|s fTOD:i32|ns Nt:u16 N4:u8 valid:u8 tAcc:u32|ns
01 24 NAV-TIMEBDS   iTOW:u32|ms SOW:u32|s fSOW:i32|ns week:i16 leapS:i8|s valid:u8 tAcc:u32|ns
01 25 NAV-TIMEGAL   iTOW:u32|ms galTow:u32|s fGalTow:i32|ns galWno:i16 leapS:i8|s valid:u8 tAcc:u32|ns
01 26 NAV-TIMELS    iTOW:u32|ms version:u8 reserved1:3 srcOfCurrLs:u8 currLs:i8|s srcOfLsChange:u8 lsChange:i8|s timeToLsEvent:i32|s dateOfLsGpsWn:u16 dateOfLsGpsDn:u16 reserved2:3 valid:u8
01 30 NAV-SVINFO    iTOW:u32|ms numCh:u8 globalFlags:u8 reserved1:2 svs*numCh(chn:u8 svid:u8 flags:u8 quality:u8 cno:u8|dB-Hz elev:i8|° azim:i16|° prRes:i32/100|m)
01 31 NAV-DGPS      iTOW:u32|ms age:i32|ms baseId:i16 baseHealth:i16 numCh:u8 status:u8 reserved1:2 channels*numCh(svid:u8 flags:u8 ageC:u16|ms prc:f32|m prrc:f32|m/s)
01 32 NAV-SBAS      iTOW:u32|ms geo:u8 mode:u8 sys:i8 service:u8 cnt:u8 reserved1:3 svs*cnt(svid:u8 flags:u8 udre:u8 svSys:u8 svService:u8 reserved2:1 prc:i16/100|m reserved3:2 ic:i16/100|m)
01 34 NAV-ORB       iTOW:u32|ms version:u8 numSv:u8 reserved1:2 svs*numSv(gnssId:u8 svId:u8 svFlag:u8 eph:u8 alm:u8 otherOrb:u8)
01 35 NAV-SAT       iTOW:u32|ms version:u8 numSvs:u8 reserved1:2 svs*numSvs(gnssId:u8 svid:u8 cno:u8|dB-Hz elev:i8|° azim:i16|° prRes:i16/10|m flags:u32)
01 36 NAV-COV       iTOW:u32|ms version:u8 posCovValid:u8 velCovValid:u8 reserved1:9 posCovNN:f32|m² posCovNE:f32|m² posCovND:f32|m² posCovEE:f32|m² posCovED:f32|m² posCovDD:f32|m² velCovNN:f32|m²/s² velCovNE:f32|m²/s² velCovND:f32|m²/s² velCovEE:f32|m²/s² velCovED:f32|m²/s² velCovDD:f32|m²/s²
01 39 NAV-GEOFENCE  iTOW:u32|ms version:u8 status:u8 numFences:u8 combState:u8 fences*numFences(state:u8 fenceId:u8)
01 3B NAV-SVIN      version:u8 reserved1:3 iTOW:u32|ms dur:u32|s meanX:i32/100|m meanY:i32/100|m meanZ:i32/100|m meanXHP:i8/10|mm meanYHP:i8/10|mm meanZHP:i8/10|mm reserved2:1 meanAcc:u32/10000|m obs:u32 valid:u8 active:u8 reserved3:2
01 3C NAV-RELPOSNED[64] version:u8 reserved1:1 refStationId:u16 iTOW:u32|ms relPosN:i32/100|m relPosE:i32/100|m relPosD:i32/100|m relLength:i32/100|m relHeading:i32/100000|° reserved2:4 relPosHPN:i8/10|mm relPosHPE:i8/10|mm relPosHPD:i8/10|mm relPosHPLength:i8/10|mm accN:u32/10000|m accE:u32/10000|m accD:u32/10000|m accLength:u32/10000|m accHeading:u32/100000|° reserved3:4 flags:u32
01 3C NAV-RELPOSNED,40[40] version:u8 reserved1:1 refStationId:u16 iTOW:u32|ms relPosN:i32/100|m relPosE:i32/100|m relPosD:i32/100|m relPosHPN:i8/10|mm relPosHPE:i8/10|mm relPosHPD:i8/10|mm reserved2:1 accN:u32/10000|m accE:u32/10000|m accD:u32/10000|m flags:u32
01 42 NAV-SLAS      iTOW:u32|ms version:u8 reserved1:3 gmsLon:i32/1000|° gmsLat:i32/1000|° gmsCode:u8 qzssSvId:u8 serviceFlags:u8 cnt:u8 svs*cnt(gnssId:u8 svId:u8 reserved2:1 reserved3:3 prc:i16/100|m)
01 43 NAV-SIG       iTOW:u32|ms version:u8 numSigs:u8 reserved1:2 sigs*numSigs(gnssId:u8 svId:u8 sigId:u8 freqId:u8 prRes:i16/10|m cno:u8|dB-Hz qualityInd:u8 corrSource:u8 ionoModel:u8 sigFlags:u16 reserved2:4)
01 60 NAV-AOPSTATUS iTOW:u32|ms aopCfg:u8 status:u8 reserved1:10
01 61 NAV-EOE       iTOW:u32|ms
02 13 RXM-SFRBX     gnssId:u8 svId:u8 sigId:u8 freqId:u8 numWords:u8 chn:u8 version:u8 reserved1:1 words*numWords(dwrd:u32)
02 14 RXM-MEASX     version:u8 reserved1:3 gpsTOW:u32|ms gloTOW:u32|ms bdsTOW:u32|ms reserved2:4 qzssTOW:u32|ms gpsTOWacc:u16 gloTOWacc:u16 bdsTOWacc:u16 reserved3:2 qzssTOWacc:u16 numSV:u8 flags:u8 reserved4:8 svs*numSV(gnssId:u8 svId:u8 cNo:u8|dB-Hz mpathIndic:u8 dopplerMS:i32 dopplerHz:i32 wholeChips:u16 fracChips:u16 codePhase:u32 intCodePhase:u8 pseuRangeRMSErr:u8 reserved5:2)
02 15 RXM-RAWX      rcvTow:f64|s week:u16 leapS:i8|s numMeas:u8 recStat:u8 version:u8 reserved1:2 meas*numMeas(prMes:f64|m cpMes:f64 doMes:f32|Hz gnssId:u8 svId:u8 sigId:u8 freqId:u8 locktime:u16|ms cno:u8|dB-Hz prStdev:u8 cpStdev:u8 doStdev:u8 trkStat:u8 reserved2:1)
02 20 RXM-SVSI      iTOW:u32|ms week:i16 numVis:u8 numSV:u8 svs*numSV(svid:u8 svFlag:u8 azim:i16|° elev:i8|° age:u8)
02 32 RXM-RTCM      version:u8 flags:u8 subType:u16 refStation:u16 msgType:u16
02 34 RXM-COR       version:u8 ebno:u8/8|dB reserved1:2 statusInfo:u32 msgType:u16 msgSubType:u16
02 41 RXM-PMREQ     duration:u32|ms flags:u32
02 59 RXM-RLM       version:u8 type:u8 svId:u8 reserved1:1 beacon:8 message:rest
04 00 INF-ERROR     str:text.rest
04 01 INF-WARNING   str:text.rest
04 02 INF-NOTICE    str:text.rest
04 03 INF-TEST      str:text.rest
04 04 INF-DEBUG     str:text.rest
05 00 ACK-NAK       clsID:u8 msgID:u8
05 01 ACK-ACK       clsID:u8 msgID:u8
06 00 CFG-PRT       portID:u8 reserved1:1 txReady:u16 mode:u32 baudRate:u32|baud inProtoMask:u16 outProtoMask:u16 flags:u16 reserved2:2
06 01 CFG-MSG       msgClass:u8 msgID:u8 rates*rest(rate:u8)
06 04 CFG-RST       navBbrMask:u16 resetMode:u8 reserved1:1
06 06 CFG-DAT       majA:f64|m flat:f64 dX:f32|m dY:f32|m dZ:f32|m rotX:f32|″ rotY:f32|″ rotZ:f32|″ scale:f32
06 08 CFG-RATE      measRate:u16|ms navRate:u16 timeRef:u16
06 09 CFG-CFG       clearMask:u32 saveMask:u32 loadMask:u32 deviceMask:u8
06 11 CFG-RXM       reserved1:1 lpMode:u8
06 13 CFG-ANT       flags:u16 pins:u16
06 16 CFG-SBAS      mode:u8 usage:u8 maxSBAS:u8 scanmode2:u8 scanmode1:u32
06 1B CFG-USB       vendorID:u16 productID:u16 reserved1:2 reserved2:2 powerConsumption:u16|mA flags:u16 vendorString:text.32 productString:text.32 serialNumber:text.32
06 24 CFG-NAV5      mask:u16 dynModel:u8 fixMode:u8 fixedAlt:i32/100|m fixedAltVar:u32/10000|m² minElev:i8|° drLimit:u8|s pDop:u16/10 tDop:u16/10 pAcc:u16|m tAcc:u16|m staticHoldThresh:u8|cm/s dgnssTimeout:u8|s cnoThreshNumSVs:u8 cnoThresh:u8|dB-Hz reserved1:2 staticHoldMaxDist:u16|m utcStandard:u8 reserved2:5
06 31 CFG-TP5       tpIdx:u8 version:u8 reserved1:2 antCableDelay:i16|ns rfGroupDelay:i16|ns freqPeriod:u32 freqPeriodLock:u32 pulseLenRatio:u32 pulseLenRatioLock:u32 userConfigDelay:i32|ns flags:u32
06 3E CFG-GNSS      msgVer:u8 numTrkChHw:u8 numTrkChUse:u8 numConfigBlocks:u8 blocks*numConfigBlocks(gnssId:u8 resTrkCh:u8 maxTrkCh:u8 reserved1:1 flags:u32)
06 71 CFG-TMODE3    version:u8 reserved1:1 flags:u16 ecefXOrLat:i32 ecefYOrLon:i32 ecefZOrAlt:i32 ecefXOrLatHP:i8 ecefYOrLonHP:i8 ecefZOrAltHP:i8 reserved2:1 fixedPosAcc:u32/10000|m svinMinDur:u32|s svinAccLimit:u32/10000|m reserved3:8
06 8A CFG-VALSET    version:u8 layers:u8 transaction:u8 reserved1:1 cfgData:rest
06 8B CFG-VALGET    version:u8 layer:u8 position:u16 cfgData:rest
06 8C CFG-VALDEL    version:u8 layers:u8 transaction:u8 reserved1:1 keys*rest(key:u32)
0A 04 MON-VER       swVersion:text.30 hwVersion:text.10 extension*rest:text.30
0A 08 MON-TXBUF     pending*6:u16 usage*6:u8 peakUsage*6:u8 tUsage:u8|% tPeakusage:u8|% errors:u8 reserved1:1
0A 07 MON-RXBUF     pending*6:u16 usage*6:u8 peakUsage*6:u8
0A 09 MON-HW        pinSel:u32 pinBank:u32 pinDir:u32 pinVal:u32 noisePerMS:u16 agcCnt:u16 aStatus:u8 aPower:u8 flags:u8 reserved1:1 usedMask:u32 VP:17 jamInd:u8 reserved2:2 pinIrq:u32 pullH:u32 pullL:u32
0A 0B MON-HW2       ofsI:i8 magI:u8 ofsQ:i8 magQ:u8 cfgSource:u8 reserved1:3 lowLevCfg:u32 reserved2:8 postStatus:u32 reserved3:4
0A 21 MON-RXR       flags:u8
0A 28 MON-GNSS      version:u8 supported:u8 defaultGnss:u8 enabled:u8 simultaneous:u8 reserved1:3
0A 36 MON-COMMS     version:u8 nPorts:u8 txErrors:u8 reserved1:1 protIds*4:u8 ports*nPorts(portId:u16 txPending:u16 txBytes:u32 txUsage:u8|% txPeakUsage:u8|% rxPending:u16 rxBytes:u32 rxUsage:u8|% rxPeakUsage:u8|% overrunErrs:u16 msgs1:u16 msgs2:u16 msgs3:u16 msgs4:u16 reserved2:8 skipped:u32)
0A 37 MON-HW3       version:u8 nPins:u8 flags:u8 hwVersion:text.10 reserved1:9 pins*nPins(pinId:u16 pinMask:u16 VP:u8 reserved2:1)
0A 38 MON-RF        version:u8 nBlocks:u8 reserved1:2 blocks*nBlocks(blockId:u8 flags:u8 antStatus:u8 antPower:u8 postStatus:u32 reserved2:4 noisePerMS:u16 agcCnt:u16 jamInd:u8 ofsI:i8 magI:u8 ofsQ:i8 magQ:u8 reserved3:3)
0D 01 TIM-TP        towMS:u32|ms towSubMS:u32 qErr:i32|ps week:u16 flags:u8 refInfo:u8
0D 03 TIM-TM2       ch:u8 flags:u8 count:u16 wnR:u16 wnF:u16 towMsR:u32|ms towSubMsR:u32|ns towMsF:u32|ms towSubMsF:u32|ns accEst:u32|ns
0D 04 TIM-SVIN      dur:u32|s meanX:i32/100|m meanY:i32/100|m meanZ:i32/100|m meanV:u32|mm² obs:u32 valid:u8 active:u8 reserved1:2
0D 06 TIM-VRFY      itow:i32|ms frac:i32|ns deltaMs:i32|ms deltaNs:i32|ns wno:u16 flags:u8 reserved1:1
10 02 ESF-MEAS      timeTag:u32 flags:u16 providerId:u16 data*rest(value:u32)
10 03 ESF-RAW       reserved1:4 samples*rest(data:u32 sTtag:u32)
10 10 ESF-STATUS    iTOW:u32|ms version:u8 initStatus1:u8 initStatus2:u8 reserved1:5 fusionMode:u8 reserved2:2 numSens:u8 sensors*numSens(sensStatus1:u8 sensStatus2:u8 freq:u8|Hz faults:u8)
10 14 ESF-ALG       iTOW:u32|ms version:u8 flags:u8 error:u8 reserved1:1 yaw:u32/100|° pitch:i16/100|° roll:i16/100|°
10 15 ESF-INS       bitfield0:u32 reserved1:4 iTOW:u32|ms xAngRate:i32/1000|°/s yAngRate:i32/1000|°/s zAngRate:i32/1000|°/s xAccel:i32/100|m/s² yAccel:i32/100|m/s² zAccel:i32/100|m/s²
27 01 SEC-SIGN      version:u8 reserved1:3 classID:u8 messageID:u8 checksum:u16 hash:32
27 03 SEC-UNIQID    version:u8 reserved1:3 uniqueId:rest
`;

const systems = {
  0: 'GPS',
  1: 'SBAS',
  2: 'Galileo',
  3: 'BeiDou',
  4: 'IMES',
  5: 'QZSS',
  6: 'GLONASS',
  7: 'NavIC',
};
const fixes = {
  0: 'no fix',
  1: 'dead reckoning',
  2: '2D',
  3: '3D',
  4: 'GNSS and dead reckoning',
  5: 'time only',
};
const carrier = { 0: 'no RTK', 1: 'RTK float', 2: 'RTK fixed' };

/** Names of values, by message and field, or by field in all messages. */
export const ubxValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gnssId: systems,
  fixType: fixes,
  gpsFix: fixes,
  'NAV-STATUS.fix': fixes,
  carrSoln: carrier,
  timeRef: { 0: 'UTC', 1: 'GPS', 2: 'GLONASS', 3: 'BeiDou', 4: 'Galileo', 5: 'NavIC' },
  'CFG-NAV5.dynModel': {
    0: 'portable',
    2: 'stationary',
    3: 'pedestrian',
    4: 'automotive',
    5: 'sea',
    6: 'airborne below 1 g',
    7: 'airborne below 2 g',
    8: 'airborne below 4 g',
    9: 'wrist',
    10: 'bike',
  },
  'CFG-NAV5.fixMode': { 1: '2D', 2: '3D', 3: 'automatic' },
  'CFG-RST.resetMode': {
    0: 'hardware reset at once',
    1: 'software reset',
    2: 'software reset of GNSS',
    4: 'hardware reset after shutdown',
    8: 'GNSS stop',
    9: 'GNSS start',
  },
  'CFG-PRT.portID': { 0: 'I2C', 1: 'UART 1', 2: 'UART 2', 3: 'USB', 4: 'SPI' },
  'MON-RF.antStatus': { 0: 'starting', 1: 'unknown', 2: 'right', 3: 'short circuit', 4: 'open' },
  'MON-RF.antPower': { 0: 'off', 1: 'on', 2: 'unknown' },
  'ESF-STATUS.fusionMode': { 0: 'starting', 1: 'fusion', 2: 'suspended', 3: 'off' },
};

/** Names of bits, by message and field. */
export const ubxFlags: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'NAV-PVT.valid': { 0: 'date valid', 1: 'time valid', 2: 'fully resolved', 3: 'magnetic declination valid' },
  'NAV-PVT.flags': { 0: 'fix', 1: 'corrections', 5: 'vehicle heading valid' },
  'NAV-PVT.flags2': { 5: 'confirmation available', 6: 'date confirmed', 7: 'time confirmed' },
  'NAV-STATUS.flags': { 0: 'fix', 1: 'corrections', 2: 'week valid', 3: 'time of week valid' },
  'NAV-TIMEUTC.valid': { 0: 'time of week', 1: 'week', 2: 'UTC' },
  'NAV-TIMEGPS.valid': { 0: 'time of week', 1: 'week', 2: 'leap seconds' },
  'NAV-TIMEGLO.valid': { 0: 'time of day', 1: 'date' },
  'NAV-TIMEBDS.valid': { 0: 'second of week', 1: 'week', 2: 'leap seconds' },
  'NAV-TIMEGAL.valid': { 0: 'time of week', 1: 'week', 2: 'leap seconds' },
  'NAV-TIMELS.valid': { 0: 'leap second', 1: 'time to the event' },
  'NAV-RELPOSNED.flags': {
    0: 'fix',
    1: 'corrections',
    2: 'valid',
    5: 'moving',
    6: 'reference position extrapolated',
    7: 'reference observations extrapolated',
    8: 'heading valid',
    9: 'normalised',
  },
  'RXM-RAWX.recStat': { 0: 'leap seconds', 1: 'clock reset' },
  'CFG-VALSET.layers': { 0: 'RAM', 1: 'BBR', 2: 'flash' },
  'CFG-VALDEL.layers': { 1: 'BBR', 2: 'flash' },
  'CFG-PRT.inProtoMask': { 0: 'UBX', 1: 'NMEA', 2: 'RTCM 2', 5: 'RTCM 3' },
  'CFG-PRT.outProtoMask': { 0: 'UBX', 1: 'NMEA', 5: 'RTCM 3' },
};

/** Rows of messages in words. */
export const ubxLines: Readonly<Record<string, string>> = {
  'NAV-PVT': 'lat {lat}, lon {lon}, {fixType}, {carrSoln}, satellites {numSV}, altitude {hMSL}, speed {gSpeed}',
  'NAV-POSLLH': 'lat {lat}, lon {lon}, altitude {hMSL}, accuracy {hAcc}',
  'NAV-HPPOSLLH': 'lat {lat}, lon {lon}, altitude {hMSL}, accuracy {hAcc}',
  'NAV-STATUS': '{fix}, {flags}',
  'NAV-DOP': 'position {pDOP}, horizontal {hDOP}, vertical {vDOP}',
  'NAV-VELNED': 'speed {gSpeed}, heading {heading}, down {velD}',
  'NAV-TIMEUTC': '{year}-{month}-{day} {hour}:{min}:{sec}, {valid}',
  'NAV-SAT': '{numSvs} satellites',
  'NAV-SIG': '{numSigs} signals',
  'NAV-SVIN': 'after {dur}: accuracy {meanAcc}, {obs} observations',
  'NAV-RELPOSNED': 'north {relPosN}, east {relPosE}, down {relPosD}, {flags}',
  'RXM-RAWX': 'week {week}, {rcvTow}: {numMeas} measurements',
  'RXM-SFRBX': '{gnssId} {svId}, {numWords} words',
  'MON-VER': 'software {swVersion}, hardware {hwVersion}, {extension.*}',
  'CFG-RATE': 'every {measRate}, {navRate} measurements a position, {timeRef}',
  'INF-ERROR': '{str}',
  'INF-WARNING': '{str}',
  'INF-NOTICE': '{str}',
  'INF-TEST': '{str}',
  'INF-DEBUG': '{str}',
};
